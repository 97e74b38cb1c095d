import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

/** How long anything may take. Generous: the machine may be busy. */
export const PATIENCE_MS = 60_000;
const PAUSE_MS = 10;
/** Keeps running when a test stops the clock. */
const elapsedMs = (): number => process.uptime() * 1000;

/** Waits until the condition holds. Fails with `what` if it does not within `ms`. */
export async function eventually(
  condition: () => boolean | Promise<boolean>,
  what: string,
  ms = PATIENCE_MS,
): Promise<void> {
  for (const end = elapsedMs() + ms; !(await condition()); await sleep(PAUSE_MS))
    assert.ok(elapsedMs() < end, `not within ${ms} ms: ${what}`);
}

/** Waits until `look` returns the expected value. Fails with the difference. */
export async function eventuallyEqual<T>(look: () => T | Promise<T>, expected: T): Promise<void> {
  let seen: T | undefined;
  const isEqual = async () => {
    seen = await look();
    return isDeepStrictEqual(seen, expected);
  };
  for (const end = elapsedMs() + PATIENCE_MS; !(await isEqual()); await sleep(PAUSE_MS))
    if (elapsedMs() > end) assert.deepEqual(seen, expected);
}
