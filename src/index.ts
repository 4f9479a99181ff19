/** nudgechart as a library: an engine over your ports, and the words that it speaks. */
export { Effect, type Nudge } from './core/effects.ts';
export { type ErrorCode, NudgechartError } from './core/errors.ts';
export { Event, type Fact } from './core/events.ts';
export { type Interval, parseInterval } from './core/interval.ts';
export { once } from './core/once.ts';
export {
  type AnyPolicy,
  type Configured,
  configure,
  definePolicy,
  type Example,
  type Examples,
  type Limits,
  type Policy,
} from './core/policy.ts';
export type {
  Answer,
  Clock,
  Harness,
  Loaded,
  News,
  NewsSource,
  StateStore,
  Trace,
  TraceLine,
  WorkSource,
} from './core/ports.ts';
export { quote } from './core/quote.ts';
export { createEngine, type Engine, type EngineParts } from './engine/engine.ts';
export type { Check, Finding } from './verify/finding.ts';
export { type Report, type VerifyOptions, verify } from './verify/verify.ts';
