/** Pasts that the screens are shown with. */
import { ANN, BOB } from '../mcp/serving.ts';
import { fact } from '../support/world.ts';
import { live, present, type Story } from './past.ts';

type Env = Record<string, string>;

const mail = (id: string, peer: string, name: string) => ({ id, peer, name });

/** A morning of work for a peer: reminded, reported, asked, and reminded again. */
const working = (now: number): Story => [
  [1500, fact.prompt('p-1')],
  [1490, { type: 'mail.arrived', messages: [mail('m-1', BOB, 'bob')] }],
  [1490, fact.opened('parser-fix', BOB, now - 1_490_000, { name: 'bob' })],
  [1480, fact.tool()],
  [1476, { type: 'mail.read', messages: [mail('m-1', BOB, 'bob')] }],
  [1440, fact.tool({ tool: 'edit', name: 'Edit' })],
  [1425, fact.tool({ tool: 'other', name: 'Read' })],
  [1390, fact.tool()],
  [1380, fact.updated('parser-fix', BOB, now - 1_380_000)],
  [1330, fact.tool({ tool: 'write', name: 'Write' })],
  [1250, fact.tool({ by: 'subagent' })],
  [1210, fact.tool()],
  [1190, fact.asked('parser-fix', BOB)],
  [1100, fact.tool()],
  [900, fact.answered('parser-fix', BOB)],
  [870, fact.tool()],
  [800, fact.tool({ tool: 'edit', name: 'Edit' })],
  [780, fact.updated('parser-fix', BOB, now - 780_000)],
  [700, fact.delegated('review', BOB)],
  [690, fact.tool()],
  [610, fact.tool()],
  [560, fact.updated('parser-fix', BOB, now - 560_000)],
  [120, fact.tool({ tool: 'edit', name: 'Edit' })],
  [21, fact.updated('parser-fix', BOB, now - 21_000)],
  [12, fact.tool()],
];

export async function twoSessions(env: Env): Promise<void> {
  await live(env, BOB, [[1500, fact.delegated('parser-fix', ANN)]]);
  await live(env, ANN, working(Date.now()));
  present(env, ANN, 'ann', '/home/ann/src/parser');
  present(env, BOB, 'bob', '/home/ann/src/website');
}

const PLACES = ['parser', 'website', 'billing', 'search', 'docs', 'importer', 'mobile', 'infra', 'reports', 'sandbox'];

export async function fiftySessions(env: Env): Promise<void> {
  await twoSessions(env);
  for (let n = 1; n < 49; n += 1) {
    const session = `${String(n).padStart(8, '0')}-2222-4222-8222-222222222222`;
    const opened = 40 + n * 37;
    const story: Story = [
      [opened, fact.opened(`job-${n}`, BOB, Date.now() - opened * 1000, { name: 'bob' })],
      [opened - 5, fact.tool()],
      ...(n % 3 === 0 ? [[opened - 20, fact.asked(`job-${n}`, BOB)] as const] : []),
      ...(n % 4 === 0 ? [[opened - 30, fact.closed(`job-${n}`, BOB, 'result')] as const] : []),
      ...(n % 5 === 0 ? [[2, fact.tool()] as const] : []),
    ];
    await live(env, session, story);
    present(env, session, `${PLACES[n % 10]}-${n}`, `/home/ann/src/${PLACES[n % 10]}`);
  }
}
