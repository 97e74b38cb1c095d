import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';

/** Whether these programs are installed. If not, the test is skipped with a message; in CI it fails. */
export function hasTools(t: TestContext, ...tools: string[]): boolean {
  return has(
    t,
    tools.filter((tool) => spawnSync('which', [tool]).status !== 0),
  );
}

/** Like `hasTools`, and requires root. */
export function isRootWith(t: TestContext, ...tools: string[]): boolean {
  return (process.getuid?.() === 0 || has(t, ['root'])) && hasTools(t, ...tools);
}

/** Whether a process may open as many files and sockets as this (`ulimit -n`). */
export function mayOpenFiles(t: TestContext, count: number): boolean {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  return has(t, Number(limit) >= count ? [] : [`limit of open files of ${count} (ulimit -n says ${limit})`]);
}

function has(t: TestContext, missing: readonly string[]): boolean {
  if (missing.length === 0) return true;
  notTested(t, `this machine has no ${missing.join(' and no ')}`);
  return false;
}

/** Skips a test that cannot run on this machine, and says so; in CI, which tests everything, it fails. */
export function notTested(t: TestContext, why: string): void {
  const reason = `NOT TESTED: ${why}`;
  if (process.env.CI) throw new Error(reason);
  t.skip(reason);
}
