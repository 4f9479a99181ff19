#!/usr/bin/env node
/** argv → one command. The hook comes first and alone: every tool call of an agent may wait for it. */
import { hook } from './commands/hook.ts';

const [command, ...rest] = process.argv.slice(2);

if (command === 'hook' && !rest.some((word) => word.startsWith('-'))) void hook(rest[0], process.env);
else void import('./program.ts').then(({ run }) => run(process.argv.slice(2)));
