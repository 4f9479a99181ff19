/** One client of the live view: server-sent events, no faster than it reads, until either side goes. */
import type { ServerResponse } from 'node:http';
import { once } from '../../core/once.ts';
import type { Feed } from './feed.ts';
import type { Hub } from './hub.ts';

/** So that a connection that broke is noticed. */
const HEARTBEAT_MS = 15_000;
/** Who takes nothing for so long has gone, or begins anew when it comes back. */
const STALLED_MS = 30_000;

export interface Stream {
  /** Also once its connection has gone: of an answer that waited behind another one Node doesn't tell that. */
  end(): void;
}

/**
 * What a client hasn't read yet is never kept for it: of the overview it gets the newest, decisions wait in the trace.
 * @param feed null: the overview only
 * @param ended told once, when the stream is over
 */
export function openStream(response: ServerResponse, hub: Hub, feed: Feed | null, ended: () => void): Stream {
  let sent = 0;
  let stalled: NodeJS.Timeout | null = null;

  const isOpen = () => !response.writableEnded && !response.destroyed;

  /** @returns whether the client may be told more now */
  const write = (text: string): boolean => {
    if (!isOpen()) return false;
    if (response.write(text)) return true;
    stalled ??= setTimeout(() => response.destroy(), STALLED_MS);
    return false;
  };

  const overview = (): boolean => {
    const { change, json } = hub.latest();
    if (change === sent) return true;
    sent = change;
    return write(event('overview', json));
  };

  const decisions = (): boolean => {
    for (let piece = feed?.next(Date.now()); piece != null; piece = feed?.next(Date.now())) {
      if (!write(event('decisions', JSON.stringify(piece)))) return false;
    }
    return true;
  };

  const pump = () => {
    try {
      if (stalled === null && isOpen() && overview()) decisions();
    } catch {
      // One page less is better than none: it comes back by itself.
      response.destroy();
    }
  };

  response.on('drain', () => {
    if (stalled !== null) clearTimeout(stalled);
    stalled = null;
    pump();
  });
  const heartbeat = setInterval(() => stalled === null && write(':\n\n'), HEARTBEAT_MS);
  const over = once(() => {
    clearInterval(heartbeat);
    if (stalled !== null) clearTimeout(stalled);
    unsubscribe();
    feed?.close();
    ended();
  });
  response.once('close', over);
  response.flushHeaders();
  const unsubscribe = hub.subscribe(pump);
  return {
    end() {
      over();
      response.end();
    },
  };
}

/** JSON has no line ends in it. */
function event(name: string, json: string): string {
  return `event: ${name}\ndata: ${json}\n\n`;
}
