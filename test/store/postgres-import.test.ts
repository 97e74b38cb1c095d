import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import postgres from 'postgres';
import { samplePets } from '../../src/data/samples.ts';
import { importPets } from '../../src/store/import-pets.ts';
import { createCluster, createDatabase } from '../support/postgres.ts';
import { importExportSuite } from './import-export.ts';

const server = await createCluster();
await server.start();

describe('PostgreSQL', () => {
  importExportSuite(() => createDatabase(server));

  it('imports nothing when the connection is lost in between, and says so', async () => {
    const url = await createDatabase(server);
    const sql = postgres(url, { max: 1, connection: { search_path: 'animal_store' } });
    const input = async function* () {
      yield [...samplePets(5000, 1)];
      yield [...samplePets(5000, 2)];
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'animal-store' AND datname = current_database()`;
      yield [...samplePets(5000, 3)];
      yield [...samplePets(5000, 4)];
    };
    await assert.rejects(
      importPets(url, input(), { keepIds: false }),
      /connection to the database was lost: try again/,
    );
    assert.equal((await sql`SELECT 1 FROM pets`).length, 0);
    await sql.end();
  });
});
