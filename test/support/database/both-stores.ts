import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryFolder } from '../service/service.ts';
import { createCluster, createDatabase } from './postgres.ts';

/** The server of the file that imports this. */
export const server = await createCluster();
await server.start();

/** What makes the URL of a new database of each kind. */
export const bothStores = [
  ['sqlite', async (t: TestContext) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`],
  ['postgres', (_t: TestContext) => createDatabase(server)],
] as const;
