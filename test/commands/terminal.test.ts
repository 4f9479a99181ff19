/** The terminal: what it can do, and that it is given back as it was. */
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { terminal } from '../../src/commands/status/terminal.ts';

const ESCAPE = '\u001b';

/** A process with streams of its own, and what is written and switched in it. */
function machine(env: Record<string, string> = {}, isTTY = true) {
  const told: string[] = [];
  const stdin = Object.assign(new EventEmitter(), {
    isTTY,
    setRawMode: (raw: boolean) => {
      told.push(raw ? 'raw' : 'cooked');
      return stdin;
    },
    resume: () => stdin,
    pause: () => stdin,
  });
  const stdout = Object.assign(new EventEmitter(), {
    isTTY,
    columns: 40,
    rows: 10,
    write: (text: string) => told.push(text),
  });
  const host = Object.assign(new EventEmitter(), { env, stdin, stdout });
  return { told, stdin, stdout, host, screen: terminal(host as never) };
}

const deaf = { quit() {}, resized() {} };

describe('a terminal', () => {
  it.each([
    [{}, true, [true, true]],
    [{ TERM: 'xterm' }, true, [true, true]],
    [{ NO_COLOR: '1' }, true, [true, false]],
    [{ NO_COLOR: '' }, true, [true, true]],
    [{ TERM: 'dumb' }, true, [false, false]],
    [{}, false, [false, false]],
  ] as const)('with %j, at a person’s desk: %j, is live and has colours: %j', (env, isTTY, expected) => {
    const { screen } = machine(env, isTTY);
    expect([screen.isLive, screen.hasColours]).toEqual(expected);
  });

  it('is taken once and given back as it was, also when the process ends by itself', () => {
    for (const end of ['leave', 'exit'] as const) {
      const { screen, told, stdin, stdout, host } = machine();
      screen.enter(deaf);
      expect(told).toEqual(['raw', `${ESCAPE}[?1049h${ESCAPE}[?25l`]);
      told.length = 0;
      if (end === 'exit') host.emit('exit');
      screen.leave();
      screen.leave();
      expect(told).toEqual([`${ESCAPE}[?25h${ESCAPE}[?1049l`, 'cooked']);
      expect([stdin, stdout, host].map((one) => one.eventNames())).toEqual([[], [], []]);
    }
  });

  it('hears q, Ctrl-C and another size, and nothing else', () => {
    const { screen, stdin, stdout } = machine();
    let [quits, sizes] = [0, 0];
    screen.enter({
      quit() {
        quits += 1;
      },
      resized() {
        sizes += 1;
      },
    });
    for (const keys of ['x', `${ESCAPE}[A`, '\r']) stdin.emit('data', Buffer.from(keys));
    expect(quits).toBe(0);
    for (const keys of ['q', '\u0003']) stdin.emit('data', Buffer.from(keys));
    stdout.emit('resize');
    expect([quits, sizes]).toEqual([2, 1]);
    expect(screen.size()).toEqual({ columns: 40, rows: 10 });
  });

  it('is drawn over from the first place on, with nothing left of what was there', () => {
    const { screen, told } = machine();
    screen.draw(['one', 'two']);
    expect(told).toEqual([`${ESCAPE}[Hone${ESCAPE}[K\r\ntwo${ESCAPE}[K${ESCAPE}[J`]);
  });
});
