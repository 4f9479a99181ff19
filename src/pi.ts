/** nudgechart as an extension of pi: what pi loads and calls once per session. */
import type { PiApi } from '../adapters/harness/pi/index.ts';
import { extendPi } from './commands/pi/extension.ts';

// biome-ignore lint/style/noDefaultExport: pi takes an extension by its default export.
export default function nudgechart(pi: PiApi): void {
  extendPi(pi, process.env);
}
