/** A client that takes nothing costs nothing: what it misses isn't kept for it, and it doesn't stay for ever. */
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Feed } from '../../src/commands/view/feed.ts';
import type { Hub } from '../../src/commands/view/hub.ts';
import { openStream } from '../../src/commands/view/stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The other side of a connection, which takes as much as the test lets it. */
class Connection extends EventEmitter {
  readonly written: string[] = [];
  takes = true;
  writableEnded = false;
  destroyed = false;

  write(text: string): boolean {
    this.written.push(text);
    return this.takes;
  }

  flushHeaders(): void {}

  end(): void {
    this.writableEnded = true;
    this.emit('close');
  }

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function opened() {
  const connection = new Connection();
  let change = 0;
  const listeners = new Set<() => void>();
  const hub: Pick<Hub, 'latest' | 'subscribe'> = {
    latest: () => ({ change, json: `{"change":${change}}` }),
    subscribe(told) {
      listeners.add(told);
      return () => void listeners.delete(told);
    },
  };
  const waiting: number[] = [];
  const closed = vi.fn<() => void>();
  const feed: Feed = {
    next() {
      const id = waiting.shift();
      if (id === undefined) return null;
      return { session: String(id), fresh: false, more: false, decisions: [], skipped: 0 };
    },
    close: closed,
  };
  const ended = vi.fn<() => void>();
  const stream = openStream(connection as unknown as ServerResponse, hub as Hub, feed, ended);
  const look = (...ids: number[]) => {
    change += 1;
    waiting.push(...ids);
    for (const told of listeners) told();
  };
  return { stream, connection, look, waiting, listeners, closed, ended };
}

it('a client that takes nothing is told nothing more, and hears the newest when it goes on', () => {
  const { connection, look, waiting } = opened();
  connection.takes = false;
  look(1, 2);
  for (let n = 0; n < 100; n += 1) look();
  expect(connection.written).toHaveLength(1);
  expect(waiting).toEqual([1, 2]);
  connection.takes = true;
  connection.emit('drain');
  expect(connection.written.slice(1).join('')).toMatch(
    /^event: overview\ndata: \{"change":101\}\n\n(event: decisions\n.*\n\n){2}$/,
  );
  expect(waiting).toEqual([]);
});

it('it is left after half a minute, with all that was held for it', () => {
  const { connection, look, listeners, closed, ended } = opened();
  connection.takes = false;
  look();
  vi.advanceTimersByTime(29_999);
  expect(connection.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(connection.destroyed).toBe(true);
  expect([listeners.size, closed.mock.calls.length, ended.mock.calls.length]).toEqual([0, 1, 1]);
  expect(vi.getTimerCount()).toBe(0);
});

it('one that takes what there is stays, and is shown that we are there', () => {
  const { connection, look } = opened();
  look(1);
  connection.written.length = 0;
  vi.advanceTimersByTime(60_000);
  expect(connection.written).toEqual([':\n\n', ':\n\n', ':\n\n', ':\n\n']);
  connection.end();
  expect(vi.getTimerCount()).toBe(0);
});

it('one that waits behind another answer is over when it is ended, though nobody says so', () => {
  const { stream, connection, listeners, closed, ended } = opened();
  connection.end = () => {};
  for (const _ of [1, 2]) stream.end();
  expect([listeners.size, closed.mock.calls.length, ended.mock.calls.length]).toEqual([0, 1, 1]);
  expect(vi.getTimerCount()).toBe(0);
});
