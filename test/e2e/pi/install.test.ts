import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isHere, piCommand, runPi } from './pi.ts';
import { openHome, PACKAGE, say } from './scene.ts';
import { troubles } from './trouble.ts';

describe.skipIf(!isHere)('the package as pi installs it', () => {
  it('is listed, needs nothing built or fetched, and goes without a trace', async () => {
    const space = await openHome();
    expect(existsSync(path.join(PACKAGE(), 'node_modules'))).toBe(false);
    expect(await piCommand(space, 'list')).toContain(PACKAGE());

    const before = await runPi({ space, script: [say('Done.')] });
    expect(before.requests[0]?.tools).toContain('mcp__nudgechart__send_message');
    expect(before.requests[0]?.system).toMatch(/nudgechart.*SKILL\.md/s);
    expect(troubles(space, before)).toEqual([]);

    await piCommand(space, 'remove', PACKAGE());
    const after = await runPi({ space, script: [say('Done.')] });
    expect(after.requests[0]?.tools.filter((name) => name.startsWith('mcp__'))).toEqual([]);
    expect(after.requests[0]?.system).not.toContain('nudgechart');
  });
});
