/** `nudgechart view`: the live view, on a page of this machine, until it is ended. */
import { defineCommand } from 'citty';
import { NudgechartError } from '../core/errors.ts';
import { quote } from '../core/quote.ts';
import { hangUp } from './hang-up.ts';
import { type Surroundings, surroundings } from './surroundings.ts';
import { pictures } from './view/pictures.ts';
import { startServer } from './view/server.ts';

export const view = defineCommand({
  meta: { name: 'view', description: 'Shows all sessions live on a page of this machine, until Ctrl-C.' },
  args: {
    port: { type: 'string', description: 'The port to listen on (default: any that is free)', valueHint: 'n' },
  },
  run: ({ args: { port } }) => runView(portIn(port), surroundings()),
});

/** @throws NudgechartError `ARGUMENT_INVALID` */
function portIn(text: string | undefined): number {
  if (text === undefined) return 0;
  if (/^[1-9][0-9]{0,4}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new NudgechartError('ARGUMENT_INVALID', `--port is ${quote(text).text}`, 'write a number from 1 to 65535');
}

/** Resolves when a signal has ended it. It opens no browser: on a command line other users could read the token. */
async function runView(port: number, { env, out }: Surroundings): Promise<void> {
  const ended = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, resolve);
  });
  const server = await startServer({ env, port, pictures });
  out(`live view: ${server.url}`);
  out('Open it in a browser of this machine. Whoever has this address can look and switch; Ctrl-C ends it.');
  const signal = await ended;
  await server.close();
  if (signal === 'SIGHUP') hangUp();
}
