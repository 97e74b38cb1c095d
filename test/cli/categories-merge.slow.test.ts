import { join } from 'node:path';
import { describe } from 'node:test';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { mergeSuite } from './support/merge.ts';

const server = await createCluster();
await server.start();

describe('On SQLite,', () => {
  mergeSuite(async (t) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`);
});

describe('On PostgreSQL,', () => {
  mergeSuite(() => createDatabase(server));
});
