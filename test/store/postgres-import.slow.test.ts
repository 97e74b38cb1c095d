import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import postgres from 'postgres';
import { samplePets } from '../../src/data/samples.ts';
import { exportPets, importPets } from '../../src/store/tools/import-export.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { importExportSuite } from './import-export.ts';
import { importUpdatesSuite } from './import-updates.ts';

const server = await createCluster();
await server.start();

describe('PostgreSQL', () => {
  importExportSuite(() => createDatabase(server));
  importUpdatesSuite(() => createDatabase(server));

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
    await assert.rejects(importPets(url, input(), {}), /connection to the database was lost: try again/);
    assert.equal((await sql`SELECT 1 FROM pets`).length, 0);
    await sql.end();
  });

  it('says that an export is not complete when the connection is lost in between', async () => {
    const { url, loseConnections } = await filledDatabase();
    let chunks = 0;
    const receive = async () => {
      if (++chunks === 2) await loseConnections();
    };
    await assert.rejects(exportPets(url, {}, receive), /connection to the database was lost: try again/);
    assert.equal(chunks, 2);
  });

  it('fails with the error of the receiver of an export, also when the connection was lost before', async () => {
    const { url, loseConnections } = await filledDatabase();
    const failure = new Error('the disk is full');
    const receive = async () => {
      await loseConnections();
      throw failure;
    };
    await assert.rejects(exportPets(url, {}, receive), failure);
    // What the driver has left to send would fail now, without a call that could reject.
    await setImmediate();
  });
});

async function filledDatabase() {
  const url = await createDatabase(server);
  await importPets(
    url,
    (async function* () {
      yield [...samplePets(5000, 1)];
    })(),
    { keepIds: false },
  );
  /** Resolves when the server has closed them, and this process has received that. */
  const loseConnections = async () => {
    const sql = postgres(url, { max: 1 });
    await sql`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE application_name = 'animal-store' AND datname = current_database()`;
    await sql.end();
  };
  return { url, loseConnections };
}
