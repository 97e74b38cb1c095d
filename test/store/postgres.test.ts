import { describe } from 'node:test';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { counts } from './conformance/counts.ts';
import { events } from './conformance/events.ts';
import { orders } from './conformance/orders.ts';
import { openOn } from './conformance.ts';

const server = await createCluster();
await server.start();

/** The basics, so that `npm test` notices a broken statement. postgres.slow.test.ts has the whole suite. */
describe('PostgreSQL as a Store', () => {
  for (const part of [counts, orders, events]) part(async (t) => openOn(t, await createDatabase(server)));
});
