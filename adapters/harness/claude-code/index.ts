import type { Harness } from '../../../src/core/ports.ts';
import { parse } from './parse.ts';
import { render } from './render.ts';

export const claudeCode: Harness = { name: 'claude-code', parse, render };
