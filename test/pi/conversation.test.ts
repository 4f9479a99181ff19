/** Where pi gets the words of the charts, and when it gets none. The charts here say what the tests make them say. */
import { beforeEach, describe, expect, it } from 'vitest';
import { createConversation } from '../../src/commands/pi/conversation.ts';
import type { Fact } from '../../src/core/events.ts';
import type { Answer } from '../../src/core/ports.ts';
import { createPi, type FakePi, textsOf } from './fake-pi.ts';

interface Scene extends FakePi {
  readonly facts: Fact[];
  /** What the charts say to the next fact of this type, once. */
  say(to: Fact['type'], text: string, goesOn?: boolean, meanwhile?: () => void): void;
}

function openScene(): Scene {
  const pi = createPi();
  const facts: Fact[] = [];
  const answers: { to: Fact['type']; answer: Answer; meanwhile: () => void }[] = [];
  const conversation = createConversation({
    async handle(session, given) {
      expect(session).toBe('session-in-pi');
      facts.push(...given);
      const next = answers.findIndex(({ to }) => given.some(({ type }) => type === to));
      const [found] = next < 0 ? [] : answers.splice(next, 1);
      found?.meanwhile();
      return found?.answer ?? null;
    },
  });
  pi.api.on('session_start', (event, ctx) => conversation.pass(event, ctx));
  pi.api.on('session_shutdown', (event, ctx) => conversation.pass(event, ctx));
  pi.api.on('before_agent_start', (event, ctx) => conversation.startRun(event, ctx));
  pi.api.on('tool_result', (event, ctx) => conversation.finishTool(event, ctx));
  pi.api.on('turn_end', (event) => conversation.endTurn(event));
  pi.api.on('agent_before_settle', (event, ctx) => conversation.settle(event, ctx));
  pi.api.on('agent_settled', (event, ctx) => conversation.settled(event, ctx));
  return {
    ...pi,
    facts,
    say: (to, text, goesOn = to === 'turn.ended', meanwhile = () => {}) =>
      void answers.push({ to, answer: { text, continue: goesOn }, meanwhile }),
  };
}

const other = { type: 'custom_message', customType: 'other-note', content: 'other', display: true };
const mu = { type: 'custom_message', customType: 'mu-keep-driving', content: 'mu', display: true };
const SILENT = { entries: [], continue: false };

describe('in pi', () => {
  let pi: Scene;
  beforeEach(() => {
    pi = openScene();
  });

  it('what is due after a tool stands behind the results of all tools of that turn, once', async () => {
    pi.say('tool.finished', 'Report.');
    await pi.tool('bash');
    await pi.tool('edit');
    expect(await pi.endTurn()).toEqual({
      entries: [{ type: 'custom_message', customType: 'nudgechart-note', content: 'Report.', display: true }],
      continue: false,
    });
    expect(await pi.endTurn()).toEqual(SILENT);
  });

  it('what is due after several tools becomes one message, behind those of others', async () => {
    pi.say('tool.finished', 'One.');
    pi.say('tool.finished', 'Two.');
    await pi.tool('bash');
    await pi.tool('bash');
    expect(textsOf(await pi.endTurn({ entries: [other] }))).toEqual(['other', 'One.\n\nTwo.']);
  });

  it('what a turn has no place for waits: for the next turn that goes on, or for the next run', async () => {
    pi.say('tool.finished', 'Report.');
    await pi.tool('bash');
    expect(await pi.endTurn({ outcome: 'aborted' })).toEqual(SILENT);
    expect(await pi.endTurn({ toolResults: [] })).toEqual(SILENT);
    await pi.settled(true);
    expect(await pi.prompt()).toBe('Report.');
    expect(await pi.prompt()).toBe('');
  });

  it('what is due at a prompt stands beside it', async () => {
    pi.say('prompt.submitted', 'Mail.');
    expect(await pi.prompt()).toBe('Mail.');
    expect(pi.facts).toEqual([{ type: 'prompt.submitted', from: 'request', prompt: null }]);
  });

  it('the end of a run goes on with the words behind those of others', async () => {
    pi.say('turn.ended', 'Go on.');
    expect(await pi.settle('completed', [other])).toEqual({
      entries: [
        other,
        { type: 'custom_message', customType: 'nudgechart-keep-driving', content: 'Go on.', display: true },
      ],
      continue: true,
    });
    expect(await pi.settle()).toEqual(SILENT);
  });

  it('words for the end of a run that don’t make it go on wait for the next one', async () => {
    pi.say('turn.ended', 'By the way.', false);
    expect(await pi.settle()).toEqual(SILENT);
    expect(await pi.prompt()).toBe('By the way.');
  });

  it.each(['error', 'aborted'] as const)('a run that ended by %s is told as such and left alone', async (outcome) => {
    expect(await pi.settle(outcome)).toEqual(SILENT);
    expect(pi.facts).toMatchObject([{ type: 'turn.ended', outcome }]);
  });

  it('an interrupted run is told as such: it has no other end', async () => {
    await pi.settled(true);
    expect(pi.facts).toMatchObject([{ type: 'turn.ended', outcome: 'aborted' }]);
    await pi.settled(false);
    expect(pi.facts).toHaveLength(1);
  });

  it('with a message queued it isn’t the end yet, and the charts aren’t asked', async () => {
    pi.say('turn.ended', 'Go on.');
    pi.ctx.pending = true;
    expect(await pi.settle()).toEqual(SILENT);
    expect(pi.facts).toEqual([]);
    pi.ctx.pending = false;
    expect(textsOf(await pi.settle())).toEqual(['Go on.']);
  });

  it('a message queued while the charts were asked goes first; the words come at its end, once', async () => {
    pi.say('turn.ended', 'Go on.', true, () => {
      pi.ctx.pending = true;
    });
    expect(await pi.settle()).toEqual(SILENT);
    pi.ctx.pending = false;
    await pi.tool('bash');
    expect(await pi.endTurn()).toEqual(SILENT);
    expect(textsOf(await pi.settle())).toEqual(['Go on.']);
    expect(await pi.settle()).toEqual(SILENT);
  });

  it.each(['error', 'aborted'] as const)('words that wait for the end of such a run lapse with %s', async (outcome) => {
    pi.say('turn.ended', 'Go on.', true, () => {
      pi.ctx.pending = true;
    });
    await pi.settle();
    pi.ctx.pending = false;
    if (outcome === 'error') expect(await pi.settle('error')).toEqual(SILENT);
    await pi.settled(outcome === 'aborted');
    expect(await pi.prompt()).toBe('');
    expect(await pi.settle()).toEqual(SILENT);
  });

  it('where mu’s own extension has spoken we are silent until the next prompt', async () => {
    pi.say('turn.ended', 'Go on.');
    expect(await pi.settle('completed', [mu])).toEqual({ entries: [mu], continue: true });
    expect(await pi.settle()).toEqual(SILENT);
    expect(pi.facts).toEqual([]);
    await pi.prompt('custom');
    expect(await pi.settle()).toEqual(SILENT);
    await pi.prompt('user');
    expect(textsOf(await pi.settle())).toEqual(['Go on.']);
  });

  it('an extension that comes after us finds our entry and can keep it', async () => {
    pi.say('turn.ended', 'Go on.');
    pi.api.on('agent_before_settle', ({ entries }) => ({ entries: [...entries, other], continue: true }));
    expect(textsOf(await pi.settle())).toEqual(['Go on.', 'other']);
  });

  it('a session’s start and end are told, and what is said there waits for the first prompt', async () => {
    pi.say('session.started', 'Mail.');
    await pi.begin('resume');
    expect(await pi.prompt()).toBe('Mail.');
    await pi.end();
    expect(pi.facts.map(({ type }) => type)).toEqual(['session.started', 'prompt.submitted', 'session.ended']);
  });
});
