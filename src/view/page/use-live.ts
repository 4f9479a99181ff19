/** What the server told, and its clock, for components. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { LiveConnection } from './live-connection.ts';
import type { LiveState } from './live-state.ts';

export function useLive(connection: LiveConnection): LiveState {
  const [state, setState] = useState(connection.state());
  useEffect(() => {
    setState(connection.state());
    return connection.subscribe(() => setState(connection.state()));
  }, [connection]);
  return state;
}

/** `ahead`: what the server's clock is ahead of ours. `stoodAt`: the moment that is shown, while nothing is heard. */
export interface ServerClock {
  readonly ahead: number;
  readonly stoodAt: number | null;
}

export const Clock = createContext<ServerClock>({ ahead: 0, stoodAt: null });

const TICK_MS = 1000;
const tickers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The server's time, epoch ms, told anew each second; while the connection is lost it stands. */
export function useNow(): number {
  const { ahead, stoodAt } = useContext(Clock);
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (stoodAt !== null) return;
    return onTick(() => setTicks((ticks) => ticks + 1));
  }, [stoodAt]);
  return stoodAt ?? Date.now() + ahead;
}

/** One timer for all. */
function onTick(tick: () => void): () => void {
  tickers.add(tick);
  timer ??= setInterval(() => {
    for (const one of tickers) one();
  }, TICK_MS);
  return () => {
    tickers.delete(tick);
    if (tickers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}
