import postgres from 'postgres';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { historyModelSuite } from './history-model.ts';

const server = await createCluster();
await server.start();

historyModelSuite(
  () => createDatabase(server),
  async (url, store) => {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await sql.end();
    await store.close();
    return url;
  },
  8,
);
