import { spawnSync } from 'node:child_process';
import type { TestContext } from 'node:test';

/** Whether the machine has this program. Without it the test is skipped, loudly; in CI it fails instead. */
export function hasTool(t: TestContext, tool: string): boolean {
  if (spawnSync(tool, ['--version']).error === undefined) return true;
  const reason = `NOT TESTED: this machine has no ${tool}`;
  if (process.env.CI) throw new Error(reason);
  t.skip(reason);
  return false;
}
