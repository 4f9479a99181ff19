/** The built `nudgechart view` as a process of its own. */
import { PROGRAM } from '../mcp/serving.ts';
import { type Started, start } from '../support/hook.ts';

export interface View extends Started {
  readonly url: string;
  readonly port: number;
  readonly token: string;
}

/** Resolves when it has printed its address. It ends with the test. */
export async function startView(env: Record<string, string>, args: readonly string[] = []): Promise<View> {
  const started = start(process.execPath, [PROGRAM, 'view', ...args], env);
  const url = await addressOf(started);
  const { port, pathname } = new URL(url);
  return { ...started, url, port: Number(port), token: pathname.split('/')[1] ?? '' };
}

function addressOf({ child, ended }: Started): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: string) => {
      text += chunk;
      const url = /http:\/\/\S+/.exec(text)?.[0];
      if (url !== undefined && text.includes('\n')) resolve(url);
    });
    void ended.then(({ code, stderr }) => reject(new Error(`nudgechart view ended with ${code}: ${stderr}`)));
  });
}
