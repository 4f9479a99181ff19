/** The text for Mermaid. That Mermaid itself takes it was tried with 11.17; here its grammar’s rules are kept. */
import { describe, expect, it } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { inboxMachine, policies, settleMachine } from '../../machines/index.ts';
import { chartOf } from '../../src/chart/chart.ts';
import { mermaidText } from '../../src/chart/mermaid.ts';
import { hardMachines } from './hard-machines.ts';

const everything: [string, AnyStateMachine][] = [
  ...policies.map(({ machine }): [string, AnyStateMachine] => [machine.id, machine]),
  ...Object.entries(hardMachines),
];

/** What may stand behind a colon or between quotation marks; `#58;` is how Mermaid writes a code point. */
const TEXT = String.raw`(?:[^"#;:{}<>%\n]|#\d+;)*`;
const ID = String.raw`[A-Za-z]\w*`;
const LINES = [
  String.raw`accTitle: [^#;%{}<>\n]*`,
  String.raw`accDescr: [^#;%{}<>\n]*`,
  String.raw`%% [^#;%{}<>\n]*`,
  `state "${TEXT}" as ${ID}( \\{)?`,
  `${ID} : ${TEXT}`,
  `${ID} --> ${ID} : ${TEXT}`,
  String.raw`\[\*\] --> ${ID}`,
  String.raw`${ID} --> \[\*\]`,
  `note right of ${ID}`,
  'end note',
  String.raw`\}`,
  '--',
];
const LINE = new RegExp(`^ +(?:${LINES.join('|')})$`);
const IN_NOTE = new RegExp(`^ +${TEXT}$`);

describe.each(everything)('%s for Mermaid', (_, machine) => {
  const text = mermaidText(chartOf(machine));
  const lines = text.trimEnd().split('\n');

  it('is a state diagram of lines that Mermaid knows', () => {
    expect(lines[0]).toBe('stateDiagram-v2');
    let inNote = false;
    for (const line of lines.slice(1)) {
      if (line.trim() === 'end note') inNote = false;
      expect(line).toMatch(inNote ? IN_NOTE : LINE);
      if (line.trim().startsWith('note ')) inNote = true;
    }
    expect(text.match(/ \{$/gm)?.length ?? 0).toBe(text.match(/^ +\}$/gm)?.length ?? 0);
  });

  it('declares every state once, by an id that means nothing to Mermaid', () => {
    const ids = [...text.matchAll(/ as (\w+)( \{)?$/gm)].map(([, id = '']) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => /^(state|end|note|class|default|style|direction|constructor)$/i.test(id))).toEqual([]);
    const used = [...text.matchAll(/^ +(\w+) --> (\w+)/gm)].flatMap(([, from = '', to = '']) => [from, to]);
    expect(ids).toEqual(expect.arrayContaining([...new Set(used)]));
    expect(ids.filter((id) => id !== 'any_state')).toHaveLength(chartOf(machine).states.length);
  });
});

it('shows guards, effects, descriptions, and what stays in a state', () => {
  const lines = mermaidText(chartOf(inboxMachine))
    .split('\n')
    .map((line) => line.trim());
  expect(lines).toEqual(
    expect.arrayContaining([
      'accDescr: Unread mail: announced once, when the model is next reached.',
      '[*] --> empty',
      'empty : No unread mail.',
      'waiting : mail.arrived [isNews] / keepFresh',
      '%% The agent is at work: tell it.',
      'waiting --> announced : tool.finished [isMainTool] / nudge, noteTold',
    ]),
  );
});

it('gives what holds in every state a place of its own', () => {
  const text = mermaidText(chartOf(settleMachine));
  expect(text).toContain('any_state --> unarmed : prompt.submitted [isNewRun] / beginRun');
});
