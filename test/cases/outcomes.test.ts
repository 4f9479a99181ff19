/** Group E of the case list, and those of B and J that are about ends: how a turn ended, and whose end it was. */
import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../adapters/harness/claude-code/index.ts';
import { createCrew } from '../support/crew.ts';
import { stopped } from '../support/payloads.ts';
import { createWorld, fact } from '../support/world.ts';

const { ended, prompt, shell } = fact;
const DISPATCH = shell('crew send a');

async function armed(run = 'p-1') {
  const crew = createCrew('crew', ['a/1']);
  const world = createWorld({ work: [crew], closes: ['crew'] });
  await world.tell([prompt(run), DISPATCH]);
  return { crew, world };
}

describe('a turn that did not complete', () => {
  it.each(['aborted', 'error'] as const)(
    'B56: (%s) brings nothing, asks nothing, and closes the prompt',
    async (outcome) => {
      const { crew, world } = await armed();
      expect(await world.tell(ended({ outcome }))).toBeNull();
      expect(await world.tell(ended())).toBeNull();
      expect(crew.asked).toEqual([]);
      // The next prompt needs a new dispatch.
      await world.tell(prompt('p-2'));
      const settle = createCrew('crew', ['a/1']);
      const alone = createWorld({ store: world.store, work: [settle] });
      expect(await alone.tell(ended())).toBeNull();
      expect(settle.asked).toEqual([]);
    },
  );

  it('B58: an end that comes after the session has been judged brings nothing, whatever it says', async () => {
    const { world } = await armed();
    await world.tell(ended());
    for (const outcome of ['aborted', 'completed', 'error'] as const)
      expect(await world.tell(ended({ outcome }))).toBeNull();
  });

  it('B59: that no event tells of ends with the next prompt', async () => {
    const crew = createCrew('crew', ['a/1']);
    const world = createWorld({ work: [crew] });
    await world.tell([prompt('p-1'), DISPATCH]);
    await world.tell(prompt('p-2'));
    expect(await world.tell(ended())).toBeNull();
    expect(crew.asked).toEqual([]);
  });

  it('B61: uses nothing up: after five of them the next dispatch is judged', async () => {
    const { world } = await armed();
    for (let run = 0; run < 5; run += 1) {
      expect(await world.tell([prompt(`r-${run}`), DISPATCH, ended()])).not.toBeNull();
      expect(await world.tell(ended({ outcome: 'aborted' }))).toBeNull();
    }
    expect(await world.tell([prompt('last'), DISPATCH, ended()])).not.toBeNull();
  });
});

describe('the end of a subagent', () => {
  it('B16: is none of ours, and neither is a turn that failed: only Stop ends a turn', () => {
    for (const hook_event_name of ['SubagentStop', 'StopFailure', 'Notification', 'SubagentStart']) {
      expect(claudeCode.parse({ ...stopped(), hook_event_name, agent_id: 'a-7', agent_type: '' })).toEqual([]);
    }
  });

  it('B16: what it has handed out is judged at the main agent’s end, by asking', async () => {
    const { crew, world } = await armed();
    await world.tell(shell('crew send b', { by: 'subagent' }));
    expect(await world.tell(ended())).not.toBeNull();
    expect(crew.asked[0]?.scopes).toEqual(['a', 'b']);
  });
});

describe('a turn’s end in Claude Code', () => {
  it('B112: is judged by what the hook is told, not by the transcript or the last words', () => {
    const quiet = claudeCode.parse(stopped({ last_assistant_message: undefined, transcript_path: '/t/gone.jsonl' }));
    const asking = claudeCode.parse(stopped({ last_assistant_message: 'Shall I go on?' }));
    expect(quiet).toEqual(asking);
  });

  it('B95: takes a block with a reason and nothing else, and only from an answer that continues', () => {
    expect(claudeCode.render({ text: 'go on', continue: true }, stopped())).toBe(
      '{"decision":"block","reason":"go on"}',
    );
    expect(claudeCode.render({ text: 'go on', continue: false }, stopped())).toBe('');
  });

  it('B160: a dialog that waits for a person is no end', () => {
    for (const notification_type of ['permission_prompt', 'elicitation_dialog']) {
      expect(claudeCode.parse({ ...stopped(), hook_event_name: 'Notification', notification_type })).toEqual([]);
    }
  });
});
