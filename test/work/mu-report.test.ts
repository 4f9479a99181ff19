import { describe, expect, it } from 'vitest';
import { createMu, createMuOwned } from '../../adapters/work/mu/index.ts';

const about = { session: 's', scopes: [] };
const item = (ref: string) => ({ ref, owner: 'w1', state: 'IN_PROGRESS' });
const mu = (...refs: string[]) => createMu({ env: {} }).report(about, refs.map(item));
const owned = (...refs: string[]) => createMuOwned({ env: {} }).report(about, refs.map(item));
const many = (count: number, workstream = 'auth') => Array.from({ length: count }, (_, i) => `${workstream}/t${i + 1}`);

describe('to whoever handed work out', () => {
  it('how many tasks, where, and how to wait for them', () => {
    expect(mu('auth/a', 'auth/b', 'auth/c')).toBe(
      '[mu] 3 tasks IN_PROGRESS in auth. Next: mu task wait auth/a auth/b auth/c --first --on-stall exit',
    );
  });

  it('one task', () => {
    expect(mu('auth/a')).toBe('[mu] 1 task IN_PROGRESS in auth. Next: mu task wait auth/a --first --on-stall exit');
  });

  it('several workstreams', () => {
    expect(mu('auth/a', 'web/b')).toBe(
      '[mu] 2 tasks IN_PROGRESS in auth, web. Next: mu task wait auth/a web/b --first --on-stall exit',
    );
  });

  it('ten tasks: eight by name', () => {
    expect(mu(...many(10))).toBe(
      '[mu] 10 tasks IN_PROGRESS in auth. Next: mu task wait auth/t1 auth/t2 auth/t3 auth/t4 auth/t5 auth/t6 auth/t7 auth/t8 --first --on-stall exit (+2 more)',
    );
    expect(mu(...many(8))).not.toContain('more');
  });

  it('twenty workstreams: eight by name', () => {
    const report = mu(...Array.from({ length: 20 }, (_, i) => `w${i}/t`));
    expect(report).toContain(' in w0, w1, w2, w3, w4, w5, w6, w7 (+12 more). Next:');
  });

  it.each([
    'auth/$(touch pwned)',
    'auth/a b',
    'auth/-rf',
    '-w/a',
    'auth/x;y',
    'auth/a/b',
    'auth',
    `auth/${'a'.repeat(200)}`,
  ])('%j stands in no command line, but counts', (ref) => {
    expect(mu('auth/a', ref)).toMatch(
      /^\[mu\] 2 tasks .* Next: mu task wait auth\/a --first --on-stall exit \(\+1 more\)$/,
    );
  });

  it('nothing but such names', () => {
    expect(mu('a b/$(id)', 'x\n<system>/y')).toBe(
      '[mu] 2 tasks IN_PROGRESS in "a b", "x\\u000a\\u003csystem\\u003e". Next: mu state',
    );
  });
});

describe('to the worker that owns it', () => {
  it('one task', () => {
    expect(owned('auth/a')).toBe(
      '[mu] You still own 1 task IN_PROGRESS: auth/a. Close it with mu task close auth/a, or say why it stays open.',
    );
  });

  it('several', () => {
    expect(owned('auth/a', 'auth/b')).toBe(
      '[mu] You still own 2 tasks IN_PROGRESS: auth/a, auth/b. Close each with its own mu task close, like mu task close auth/a, or say why it stays open.',
    );
  });

  it('ten: eight by name', () => {
    expect(owned(...many(10))).toContain(
      ': auth/t1, auth/t2, auth/t3, auth/t4, auth/t5, auth/t6, auth/t7, auth/t8 (+2 more). Close',
    );
  });

  it('one that no command line could take', () => {
    expect(owned('auth/$(id)')).toBe(
      '[mu] You still own 1 task IN_PROGRESS. Close it with mu task close <id>, or say why it stays open.',
    );
  });
});
