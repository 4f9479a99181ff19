/** Somebody who listens to `nudgechart inspect`, as Stately's page does or a tool of one's own. */
import { onTestFinished } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import type { Started } from '../support/hook.ts';

export interface Message {
  readonly type: string;
  readonly sessionId: string;
  readonly createdAt: string;
  readonly name?: string;
  readonly definition?: string;
  readonly event?: { readonly type: string } & Readonly<Record<string, unknown>>;
  readonly snapshot?: { readonly value: unknown; readonly context: Readonly<Record<string, unknown>> };
}

export interface Listener {
  readonly messages: readonly Message[];
  /** The WebSocket's code. */
  readonly closed: Promise<number>;
  say(text: string): void;
  /** Goes without a word. */
  vanish(): void;
}

/** Where it can be listened to, as soon as it says so. */
export async function addressOf({ child, ended }: Started): Promise<string> {
  let text = '';
  return await new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: string) => {
      text += chunk;
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/(?=\n)/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
    void ended.then(({ stderr }) => reject(new Error(`it has ended: ${stderr}`)));
  });
}

/** @throws when it isn't let in, with the status */
export async function listen(url: string, options: ClientOptions = {}): Promise<Listener> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), options);
  onTestFinished(() => socket.terminate());
  const messages: Message[] = [];
  socket.on('message', (data) => messages.push(JSON.parse(String(data))));
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
  });
  return { messages, closed, say: (text) => socket.send(text), vanish: () => socket.terminate() };
}

/** Each in a few words: `actor idle`, `event tool.finished`, `snapshot nudged`. */
export function toldIn({ messages }: Pick<Listener, 'messages'>): string[] {
  return messages.map(({ type, event, snapshot }) => {
    const what = type.replace('@xstate.', '');
    return `${what} ${what === 'event' ? event?.type : JSON.stringify(snapshot?.value).replaceAll('"', '')}`;
  });
}
