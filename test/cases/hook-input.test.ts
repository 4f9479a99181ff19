/** B97 of the case list: a payload that comes slowly, in pieces, or never, on a pipe that nobody closes. */
import { describe, expect, it } from 'vitest';
import { contextOf, type Started, start, startHook } from '../support/hook.ts';
import { postToolUse, SESSION } from '../support/payloads.ts';
import { fact, SECOND } from '../support/world.ts';
import { type Place, PROGRAM, place, SILENT, sessionWithTask, worldIn } from './scenes.ts';

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A session that is due by the real clock: these hooks are told the time by nobody. */
async function dueNow(session = SESSION): Promise<Place> {
  const here = place();
  const world = worldIn(here, { news: [] });
  world.now = Date.now() - 100 * SECOND;
  await world.tell(fact.opened('t', 'ann', world.now), session);
  return here;
}

/** Writes the pieces with pauses, leaves the pipe open, and gives the ms from the last byte to the end. */
async function told({ child, ended }: Started, pieces: readonly (string | Buffer)[], pauseMs: number) {
  for (const [n, piece] of pieces.entries()) {
    if (n > 0) await pause(pauseMs);
    child.stdin?.write(piece);
  }
  const last = performance.now();
  const answer = await ended;
  return { answer, ms: performance.now() - last };
}

const text = JSON.stringify(postToolUse());
const third = Math.floor(text.length / 3);
const QUIET_MS = 1000;

describe('a pipe that stays open', () => {
  it('B97: (a) the answer comes as soon as the text is complete, without a wait for more', async () => {
    const { env } = await dueNow();
    const started = startHook(env);
    const { answer, ms } = await told(started, [text.slice(0, third), text.slice(third)], 600);
    expect(contextOf(answer)).toContain('"t" for "ann"');
    expect(ms).toBeLessThan(QUIET_MS);
  });

  it('B97: (a) also when all of it stands there before the hook looks', async () => {
    const { env } = await dueNow();
    const { answer } = await told(startHook(env), [text], 0);
    expect(contextOf(answer)).toContain('"t" for "ann"');
  });

  it('B97: (a) also with blanks and newlines behind it', async () => {
    const { env } = await dueNow();
    const { answer } = await told(startHook(env), [`${text} \r\n\t\n`], 0);
    expect(contextOf(answer)).toContain('"t" for "ann"');
  });

  it('B97: (b) three pieces, 700 ms apart, are one payload', { retry: 2 }, async () => {
    const { env } = await dueNow();
    const pieces = [text.slice(0, third), text.slice(third, 2 * third), text.slice(2 * third)];
    const { answer } = await told(startHook(env), pieces, 700);
    expect(contextOf(answer)).toContain('"t" for "ann"');
  });

  it.each([
    ['nothing', ''],
    ['the beginning of a payload', text.slice(0, third)],
    ['what looks complete and is not', '{"session_id":{}'],
    ['no JSON', 'hello }'],
    ['a list', `[${text}]`],
  ])('B97: (c) %s and then nothing more is silence, and an end', async (_name, piece) => {
    const { env } = await dueNow();
    const { answer } = await told(startHook(env), piece === '' ? [] : [piece], 0);
    expect(answer).toEqual(SILENT);
  });

  it('B97: (c) a byte now and then does not hold it for ever', async () => {
    const { env } = await dueNow();
    const { child, ended } = startHook(env);
    let over = false;
    void ended.then(() => {
      over = true;
    });
    // No more bytes than two seconds of them, and more than any limit on one pause would end.
    for (let n = 0; n < 40 && !over; n += 1) {
      child.stdin?.write(n === 0 ? '{' : ' ');
      await pause(200);
    }
    expect(over).toBe(true);
    expect(await ended).toEqual(SILENT);
  });
});

describe('other inputs', () => {
  it('B97: (d) a pipe that is closed at once is silence', async () => {
    const { env } = await dueNow();
    const { child, ended } = startHook(env);
    child.stdin?.end();
    expect(await ended).toEqual(SILENT);
  });

  it.each(['</dev/null', '<&-', '</', '< "$0"'])(
    'B97: (d) stdin that is no pipe, %s, is silence',
    async (redirection) => {
      const { env } = await dueNow();
      const script = `exec "$0" "$@" ${redirection}`;
      const { ended } = start('sh', ['-c', script, process.execPath, PROGRAM, 'hook', 'claude-code'], env);
      expect(await ended).toMatchObject({ code: 0, stdout: '' });
    },
  );

  it('B97: (d) a file as stdin is read like a pipe', async () => {
    const { env, folder } = await dueNow();
    const { child, ended } = start(
      'sh',
      ['-c', 'cat > payload; exec "$0" "$@" < payload', process.execPath, PROGRAM, 'hook'],
      env,
      folder,
    );
    child.stdin?.end(text);
    expect(contextOf(await ended)).toContain('"t" for "ann"');
  });

  it('B97: (e) a terminal as stdin is silence, and an end', async () => {
    const { env } = await dueNow();
    const command = `'${process.execPath}' '${PROGRAM}' hook claude-code`;
    const { ended } = start('script', ['-qec', command, '/dev/null'], env);
    expect(await ended).toMatchObject({ code: 0, stdout: '' });
  });

  it.each([
    ['of text', 'x'],
    ['of brackets, each of which could be the end', '}'],
    ['of quotation marks', '"'],
    ['of letters of several bytes', 'é🙂'],
  ])('B97: (f) 5 MB %s are read whole', { retry: 2 }, async (_name, filler) => {
    const { env } = await dueNow();
    const stdout = filler.repeat(5_000_000 / filler.length);
    const { child, ended } = startHook(env);
    child.stdin?.write(JSON.stringify(postToolUse(SESSION, { tool_response: { stdout } })));
    expect(contextOf(await ended)).toContain('"t" for "ann"');
  });

  it('B97: (f) more than 32 MiB are given up', async () => {
    const { env } = await dueNow();
    const { child, ended } = startHook(env);
    child.stdin?.write(JSON.stringify(postToolUse(SESSION, { tool_response: 'x'.repeat(33 * 1024 * 1024) })));
    expect(await ended).toEqual(SILENT);
  });

  it('B97: (g) a letter may be cut in two between pieces', async () => {
    const session = 'séance-🙂-12345';
    const { env } = await dueNow(session);
    const bytes = Buffer.from(JSON.stringify(postToolUse(session)));
    const cuts = [bytes.indexOf('é') + 1, bytes.indexOf('🙂') + 1, bytes.indexOf('🙂') + 3];
    const pieces = [0, ...cuts].map((from, n) => bytes.subarray(from, cuts[n] ?? bytes.length));
    const { answer } = await told(startHook(env), pieces, 100);
    expect(contextOf(answer)).toContain('"t" for "ann"');
  });

  it('B97: a session without a task is answered as soon, pipe open or not', async () => {
    const here = place();
    await sessionWithTask(here);
    const { answer, ms } = await told(startHook(here.env), [JSON.stringify(postToolUse('another-session'))], 0);
    expect(answer).toEqual(SILENT);
    expect(ms).toBeLessThan(QUIET_MS);
  });
});
