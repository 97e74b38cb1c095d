import assert from 'node:assert/strict';
import { eventuallyEqual } from '../eventually.ts';
import { call } from './service.ts';

/** The contract: every process refuses a revoked key within this time. */
const WITHIN_MS = 1000;
/** How much later a busy machine may show it. */
const SLACK_MS = 8000;

/** Waits until each service refuses a key that was just revoked, and asserts that they do in time. */
export async function assertSoonRefused(origins: readonly string[], key: string): Promise<void> {
  const start = performance.now();
  const status = async (origin: string) => (await call(origin, 'GET', '/v1/keys/current', { key })).status;
  await Promise.all(origins.map((origin) => eventuallyEqual(() => status(origin), 401)));
  const took = performance.now() - start;
  assert.ok(took < WITHIN_MS + SLACK_MS, `refused only after ${Math.round(took)} ms`);
}
