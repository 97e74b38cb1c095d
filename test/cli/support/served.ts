import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Launched } from '../../support/service/launch.ts';
import { temporaryFolder } from '../../support/service/service.ts';

/** An API key, wherever it is printed. */
export const KEY = /anst_[0-9A-Za-z]{36}/;

/** The environment of a service whose database does not exist yet. */
export async function newDatabase(t: TestContext): Promise<{ DATABASE_URL: string }> {
  return { DATABASE_URL: `sqlite:${join(await temporaryFolder(t), 'pets.db')}` };
}

/** Stops the service and returns everything that it has printed. */
export async function stop({ child, output, ended }: Launched): Promise<string> {
  child.kill('SIGTERM');
  assert.deepEqual(await ended(), { code: 0, signal: null }, output());
  return output();
}
