import assert from 'node:assert/strict';
import { it } from 'node:test';
import postgres from 'postgres';
import { openStore } from '../../src/store/open.ts';
import { assertError } from '../support/assert.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { startService } from '../support/service/service.ts';

const server = await createCluster();
await server.start();

const pet = { name: 'Rex', categoryId: 7 };
/** Every kind of write. */
const writes: [method: string, path: string, body?: object][] = [
  ['POST', '/v1/pets', pet],
  ['PATCH', '/v1/pets/1', { name: 'Tom' }],
  ['DELETE', '/v1/pets/1?reason=died'],
  ['POST', '/v1/store/orders', { petId: 1 }],
  ['PATCH', '/v1/store/orders/1', { note: 'for Ms Lee' }],
  ['PUT', '/v1/categories/7', { name: 'Dogs' }],
  ['POST', '/v1/keys', { name: 'till', scopes: ['pets:read'] }],
  ['PATCH', '/v1/keys/1', { name: 'till 2' }],
];

it('An instance whose database a newer version has upgraded reads, is not ready, and writes nothing', async (t) => {
  const database = await createDatabase(server);
  const service = await startService(t, { database });
  assert.equal((await service.call('POST', '/v1/pets', { body: pet })).status, 201);
  const reports: string[] = [];
  const other = await openStore(database, { report: (line) => void reports.push(line) });
  t.after(() => other.close());
  const sql = postgres(database, { max: 1, connection: { search_path: 'animal_store' } });
  t.after(() => sql.end());
  const [next] = await sql`INSERT INTO migrations SELECT max(version) + 2 FROM migrations RETURNING version`;
  const status = async () => (await service.call('GET', '/readyz')).status;
  for (const [method, path, body] of writes) {
    const answer = await service.call(method, path, body && { body });
    assert.match(assertError(answer, 503, 'unavailable'), /upgraded by a newer version/, `${method} ${path}`);
  }
  await eventuallyEqual(status, 503);
  for (const path of [
    '/v1/pets?name=re',
    '/v1/pets?removed=true',
    '/v1/store/orders?note=lee',
    '/v1/store/orders?completedFrom=2026-11-17T00:00:00Z',
    '/v1/store/inventory?categoryId=7',
    '/v1/categories',
    '/v1/events?type=pet.created',
  ])
    assert.equal((await service.call('GET', path)).status, 200, path);
  await eventually(() => reports.length > 0, 'the log says why');
  assert.match(reports.join(), /^the database was upgraded by a newer version [^\n]*$/);
  await sql`DELETE FROM migrations WHERE version = ${next?.version}`;
  await eventuallyEqual(status, 200);
});
