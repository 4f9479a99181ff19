/** Policies of a user's own, by the dozen: the example, added once, and copies of its module under other names. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

const EXAMPLE = path.resolve(import.meta.dirname, '../../examples/policy/checkpoint.machine.ts');
const NAME = 'checkpoint';

/**
 * @param {string} program
 * @param {string} root a state folder of its own
 * @param {number} count
 */
export function addMany(program, root, count) {
  const env = { PATH: process.env.PATH ?? '', HOME: root, NUDGECHART_STATE_DIR: root };
  execFileSync(process.execPath, [program, 'add', EXAMPLE], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const list = path.join(root, 'policies.json');
  const { policies, ...rest } = JSON.parse(fs.readFileSync(list, 'utf8'));
  const [module] = fs.readdirSync(path.join(root, 'policies'));
  const text = fs.readFileSync(path.join(root, 'policies', module), 'utf8');
  const many = Array.from({ length: count }, (_, i) => {
    const name = `${NAME}-${i}`;
    const copy = text.replaceAll(`"${NAME}"`, `"${name}"`);
    const sha256 = createHash('sha256').update(copy).digest('hex');
    fs.writeFileSync(path.join(root, 'policies', `${name}.${sha256.slice(0, 16)}.cjs`), copy, { mode: 0o600 });
    return { ...policies[0], name, sha256 };
  });
  fs.writeFileSync(list, JSON.stringify({ ...rest, policies: many }));
}
