/** Our server as the MCP inspector sees it: its command line, one process a question, nothing beyond this machine. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { fetched, findNode22, orMissing } from '../fetched.ts';

const VERSION = '2.12.0';
const PROGRAM = fileURLToPath(new URL('../../../plugin/dist/nudgechart.cjs', import.meta.url));

const found = orMissing(`MCP inspector ${VERSION}`, () => ({
  inspector: path.join(
    fetched(`inspector-${VERSION}`, `@modelcontextprotocol/inspector@${VERSION}`),
    '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  ),
  node: findNode22(),
}));
if ('missing' in found) console.warn(`${found.missing}: skipped`);

/** What the inspector prints about one question to a new server. */
function inspect(...question: string[]): { code: number | null; stdout: string; stderr: string } {
  if ('missing' in found) throw new Error(found.missing);
  const home = tempDir();
  const server = [
    '-e',
    `HOME=${home}`,
    '-e',
    `NUDGECHART_STATE_DIR=${home}`,
    process.execPath,
    PROGRAM,
    'mcp',
    '--hooks',
  ];
  const { status, stdout, stderr } = spawnSync(found.node, [found.inspector, '--cli', ...server, ...question], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
    timeout: 120_000,
  });
  return { code: status, stdout, stderr };
}

interface Tool {
  readonly name: string;
  readonly title?: string;
  readonly annotations?: object;
  readonly outputSchema?: object;
}

describe.skipIf('missing' in found)('the MCP inspector', () => {
  it('lists our tools with titles, annotations and output schemas', () => {
    const { code, stdout } = inspect('--method', 'tools/list');
    const { tools } = JSON.parse(stdout) as { tools: Tool[] };
    expect(code).toBe(0);
    expect(tools.map(({ name }) => name).sort()).toEqual([
      'acknowledge_messages',
      'cancel_task',
      'discover',
      'hook',
      'list_tasks',
      'off',
      'receive_messages',
      'send_message',
      'snooze',
    ]);
    for (const { name, title, annotations, outputSchema } of tools) {
      expect([name, typeof title, typeof annotations]).toEqual([name, 'string', 'object']);
      expect([name, typeof outputSchema]).toEqual([name, name === 'hook' ? 'undefined' : 'object']);
    }
  });

  it('gets structured content that it finds no fault with', () => {
    const { code, stdout } = inspect('--method', 'tools/call', '--tool-name', 'discover');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { peers: [{ you: true }] } });
  });

  it('gets an error that says what to do', () => {
    const args = ['--tool-arg', 'to=nobody', '--tool-arg', 'text=hi'];
    const { stdout } = inspect('--method', 'tools/call', '--tool-name', 'send_message', ...args);
    expect(JSON.parse(stdout)).toMatchObject({ isError: true });
    expect(stdout).toContain('nobody else is here now; call discover later');
  });

  it('is told that there are no prompts', () => {
    const { code, stdout, stderr } = inspect('--method', 'prompts/list');
    expect(code === 0 ? stdout : stderr).toMatch(/-32601|Method not found|"prompts": \[\]/);
  });
});
