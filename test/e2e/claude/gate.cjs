// node --require gate.cjs: see gate.ts.
// Processes that begin before the gate is shut pass; of those that come later, each waits for the others.

const { existsSync, mkdirSync, readdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const PATIENCE_MS = 3_000;
const { NUDGECHART_E2E_SHUT: shut, NUDGECHART_E2E_GATE: gate, NUDGECHART_E2E_COUNT: count } = process.env;

if (shut && gate && existsSync(shut)) {
  mkdirSync(gate, { recursive: true });
  writeFileSync(path.join(gate, String(process.pid)), '');
  const start = Date.now();
  // Busy on purpose: a sleeper would wake up late.
  while (readdirSync(gate).length < Number(count) && Date.now() - start < PATIENCE_MS);
}
