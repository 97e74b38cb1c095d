import { createCluster, createDatabase } from '../support/postgres.ts';
import { conformance, openOn } from './conformance.ts';

const server = await createCluster();
await server.start();

conformance('PostgreSQL', async (t) => openOn(t, await createDatabase(server)), {
  lasting: true,
  versioned: false,
});
