// Gets the Claude Code CLI that these tests are written against: one exact version, fetched from npm on first use.

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fetched, orMissing } from '../fetched.ts';

const VERSION = '2.1.332';

/** The program, or the reason why there is none, in one line. */
export type Cli = { readonly program: string } | { readonly missing: string };

export function findCli(): Cli {
  return orMissing(`Claude Code CLI ${VERSION}`, () => {
    const modules = fetched(`claude-code-${VERSION}`, `@anthropic-ai/claude-code@${VERSION}`);
    return { program: programIn(path.join(modules, '@anthropic-ai')) };
  });
}

// npm does not run the package's install script, and need not: the optional platform package holds the program.
function programIn(scope: string): string {
  const platform = `claude-code-${process.platform}-${process.arch}`;
  const names = existsSync(scope) ? readdirSync(scope).filter((name) => name.startsWith(platform)) : [];
  const name = process.platform === 'win32' ? 'claude.exe' : 'claude';
  const program = names.map((each) => path.join(scope, each, name)).find((file) => existsSync(file));
  if (program === undefined) throw new Error(`npm brought no program for ${process.platform}-${process.arch}`);
  return program;
}
