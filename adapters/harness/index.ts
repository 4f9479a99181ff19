/** The hosts that we can answer: one line per adapter. */
import type { Harness } from '../../src/core/ports.ts';
import { claudeCode } from './claude-code/index.ts';

export const harnesses: readonly Harness[] = [claudeCode];
