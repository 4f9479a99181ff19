import { parse } from 'unbash';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { commandsIn } from '../../adapters/work/commands.ts';
import { dispatchedIn } from '../../adapters/work/mu/dispatch.ts';
import { isWait } from '../../adapters/work/wait.ts';

// The real parser, watched: what a text costs is told by what is handed to it.
vi.mock('unbash', async (original) => {
  const real = await original<typeof import('unbash')>();
  return { ...real, parse: vi.fn(real.parse), forEachChild: vi.fn(real.forEachChild) };
});
const unbash = await import('unbash');
const parsed = vi.mocked(parse);
const visited = vi.mocked(unbash.forEachChild);

beforeEach(() => {
  parsed.mockClear();
  visited.mockClear();
});

const KIB = 1024;
const DISPATCH = 'mu agent send w1 x -w ws;';

function filled(unit: string, length = 64 * KIB): string {
  return (DISPATCH + unit.repeat(Math.ceil(length / unit.length))).slice(0, length);
}

describe('the commands in a text', () => {
  it('come without folders and wrappers, in their order, with null for what only the shell knows', () => {
    expect(
      commandsIn('cd /w && timeout 5 /usr/bin/env A=b ./bin/tool --to "$X" a$Y \'c d\' | tee "$(date +%s).log"'),
    ).toEqual([
      ['cd', '/w'],
      ['tool', '--to', null, null, 'c d'],
      ['tee', null],
      ['date', '+%s'],
    ]);
  });

  it('are those of the scripts that it runs, too', () => {
    expect(commandsIn('bash -c \'one; eval "two 2"\' && three')).toEqual([['one'], ['two', '2'], ['three']]);
  });

  it.each(['', '   ', '# nothing', 'A=b', '>log'])('are none in %j', (text) => {
    expect(commandsIn(text)).toEqual([]);
  });

  it('are not lost in a long chain', () => {
    expect(commandsIn(`${'a && '.repeat(400)}b`)).toHaveLength(401);
  });
});

describe('limits', () => {
  it.each([
    ['5 MB of words', 'mu agent send w1 '.repeat(300_000)],
    ['5 MB of heredocs', `${DISPATCH}${'<<a '.repeat(1_250_000)}`],
    ['one character too many', `${filled('a ')}a`],
    ['NUL bytes', `${DISPATCH}\0`],
    ['a patch', `*** Begin Patch\n ${DISPATCH}`],
    ['more heredocs than anybody writes', `${DISPATCH}${'<<a '.repeat(257)}`],
    ['no word mu', 'a; '.repeat(1000)],
    ['mu as a part of words', 'emu agent send w1 x; muagent'],
  ])('%s never reach the parser', (_, text) => {
    expect(dispatchedIn(text)).toBeNull();
    expect(isWait(text)).toBe(false);
    expect(parsed).not.toHaveBeenCalled();
  });

  it.each([
    ['as long as it may be', filled('a ')],
    ['with as many heredocs as it may have', `${DISPATCH}${'cat <<a\na\n'.repeat(256)}`],
  ])('a text %s is looked at', (_, text) => {
    expect(dispatchedIn(text)).toEqual(['ws']);
  });

  it.each([
    ['substitutions', '$('],
    ['quoted substitutions', '"$('],
    ['process substitutions', '<('],
    ['arithmetic', '$(('],
    ['parameters', '${a:-'],
    ['subscripts', 'a[$('],
    ['backquotes', '`'],
    ['closed backquotes', '`a`'],
    ['eval', 'eval '],
    ['bash -c', 'bash -c '],
    ['wrappers', 'xargs '],
    ['groups', '{ '],
    ['commands', DISPATCH],
    ['pipes into a shell', 'cat <<<a|sh;'],
    ['assignments', "a=1 bash -c 'b;b;b';"],
  ])('nothing but %s is seen in part, and what was seen counts', (_, unit) => {
    const text = unit.includes('<<<') ? `${DISPATCH}${unit.repeat(250)}` : filled(unit);
    expect(dispatchedIn(text)).toEqual(['ws']);
    const characters = parsed.mock.calls.reduce((sum, [script]) => sum + script.length, 0);
    expect(characters).toBeLessThanOrEqual(9 * 64 * KIB);
    expect(visited.mock.calls.length).toBeLessThanOrEqual((8 * 64 * KIB) / 24);
  });

  it('see a script of ordinary shape to its end', () => {
    const step =
      'if [ -f "$dir/file" ]; then\n  for one in a b c; do\n    echo "at $one: $(date)" >> "$log"\n  done\nfi\n';
    const script = step.repeat(Math.floor((60 * KIB) / step.length));
    expect(dispatchedIn(`${script}\n${DISPATCH}`)).toEqual(['ws']);
    expect(dispatchedIn(`bash <<'EOF'\n${script.slice(0, 30 * KIB - 40)}\nEOF\n${DISPATCH}`)).toEqual(['ws']);
  });

  it('a parser that fails costs no more than its own text', () => {
    parsed.mockImplementationOnce(() => {
      throw new RangeError('Maximum call stack size exceeded');
    });
    expect(dispatchedIn(DISPATCH)).toBeNull();
  });
});

describe('a wait on work', () => {
  it.each([
    'mu task wait ws/a --first --on-stall exit',
    'mu -w ws task wait a',
    'cd /w; timeout 600 mu task wait ws/a && mu state',
    "bash -c 'mu task wait ws/a'",
    'until mu task wait ws/a; do sleep 1; done',
    'nudgechart wait --session s --for 10m',
    'node /opt/plugin/dist/nudgechart.cjs wait --session s',
    'node --enable-source-maps "$CLAUDE_PLUGIN_ROOT/dist/nudgechart.cjs" wait',
    'npx nudgechart wait',
    'npx -y nudgechart@0.1.0 wait --for 10m',
    './node_modules/.bin/nudgechart wait',
    'NUDGECHART_LOG=1 nudgechart wait | tee log',
  ])('is %j', (command) => {
    expect(isWait(command)).toBe(true);
  });

  it.each([
    'sleep 600',
    'mu task list',
    'mu task wait --help',
    'mu wait task',
    'echo mu task wait ws/a',
    '# mu task wait ws/a',
    'nudgechart status',
    'nudgechart wait --help',
    'echo nudgechart wait',
    "grep 'nudgechart wait' README.md",
    'node other.cjs nudgechart wait',
    'tail -f nudgechart.log',
    '',
  ])('is not %j', (command) => {
    expect(isWait(command)).toBe(false);
  });
});
