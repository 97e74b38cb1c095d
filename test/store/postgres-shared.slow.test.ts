import { describe } from 'node:test';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { concurrentCategoriesSuite } from './concurrent-categories.ts';
import { concurrentPreconditionsSuite } from './concurrent-preconditions.ts';
import { eventOrderSuite } from './event-order.ts';
import { versionsSuite } from './versions.ts';

const server = await createCluster();
await server.start();

describe('PostgreSQL with two instances', () => {
  concurrentPreconditionsSuite(() => createDatabase(server));
  concurrentCategoriesSuite(() => createDatabase(server));
  eventOrderSuite(() => createDatabase(server));
  versionsSuite('postgres', () => createDatabase(server));
});
