import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';

/** Whether the machine has these programs. Without one the test is skipped, loudly; in CI it fails instead. */
export function hasTools(t: TestContext, ...tools: string[]): boolean {
  return has(
    t,
    tools.filter((tool) => spawnSync('which', [tool]).status !== 0),
  );
}

/** As `hasTools`, and whether we are root. */
export function isRootWith(t: TestContext, ...tools: string[]): boolean {
  return (process.getuid?.() === 0 || has(t, ['root'])) && hasTools(t, ...tools);
}

function has(t: TestContext, missing: readonly string[]): boolean {
  if (missing.length === 0) return true;
  const reason = `NOT TESTED: this machine has no ${missing.join(' and no ')}`;
  if (process.env.CI) throw new Error(reason);
  t.skip(reason);
  return false;
}
