import { createCluster, createDatabase } from '../support/postgres.ts';
import { mergeSuite } from './support/merge.ts';

const server = await createCluster();
await server.start();

mergeSuite(() => createDatabase(server));
