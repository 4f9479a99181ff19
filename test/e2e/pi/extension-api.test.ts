import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isHere, programs } from './pi.ts';
import { openSpace } from './space.ts';

const REPO = fileURLToPath(new URL('../../..', import.meta.url));

/** What holds between pi's own types and our words for them. */
const AGREEMENT = `
import type {
  AgentBeforeSettleEvent, AgentSettledEvent, BeforeAgentStartEvent, ExtensionAPI, ExtensionContext, SessionShutdownEvent,
  SessionStartEvent, ToolResultEvent, TurnEndEvent,
} from '@earendil-works/pi-coding-agent';
import type * as ours from '${REPO}adapters/harness/pi/index.ts';
import nudgechart from '${REPO}src/pi.ts';

export const extension: (pi: ExtensionAPI) => void = nudgechart;

// What pi gives is what we read.
export const api = (it: ExtensionAPI): Omit<ours.PiApi, 'on'> => it;
export const context = (it: ExtensionContext): ours.PiContext => it;
export const start = (it: SessionStartEvent): ours.SessionStartEvent => it;
export const shutdown = (it: SessionShutdownEvent): ours.SessionShutdownEvent => it;
export const prompt = (it: BeforeAgentStartEvent): ours.BeforeAgentStartEvent => it;
export const tool = (it: ToolResultEvent): ours.ToolResultEvent => it;
export const turn = (it: TurnEndEvent): ours.TurnEndEvent => it;
export const settle = (it: AgentBeforeSettleEvent): ours.AgentBeforeSettleEvent => it;
export const settled = (it: AgentSettledEvent): ours.AgentSettledEvent => it;

// What we give is what pi reads.
export const entry = (it: ours.MessageEntry): AgentBeforeSettleEvent['entries'][number] => it;
`;

describe.skipIf(!isHere)('our words for pi’s extension API', () => {
  it.each([
    ['agree with the real types', AGREEMENT, 0],
    ['would not agree with a wrong one: the check can fail', AGREEMENT.replace('ours.AgentSettledEvent', 'string'), 1],
  ])('%s', (_, source, status) => {
    const { project } = openSpace();
    const modules = path.join(project, 'node_modules', '@earendil-works');
    mkdirSync(modules, { recursive: true });
    writeFileSync(path.join(project, 'agreement.ts'), source);
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: false,
      noEmit: true,
      target: 'es2024',
      module: 'nodenext',
      moduleResolution: 'nodenext',
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      typeRoots: [path.join(REPO, 'node_modules', '@types')],
      types: ['node'],
      paths: { '@earendil-works/pi-coding-agent': [path.join(programs().folder, 'dist', 'index.d.ts')] },
    };
    writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(path.join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['agreement.ts'] }));
    const tsc = path.join(REPO, 'node_modules', 'typescript', 'bin', 'tsc');
    const checked = spawnSync(process.execPath, [tsc, '-p', project], { encoding: 'utf8' });
    if (status === 0) expect(checked.stdout).toBe('');
    else expect(checked.stdout).toContain("is not assignable to type 'string'");
    expect(checked.status === 0).toBe(status === 0);
  });
});
