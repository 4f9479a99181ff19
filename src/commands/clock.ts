import type { Clock } from '../core/ports.ts';

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => process.uptime() * 1000 };
