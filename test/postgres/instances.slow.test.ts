import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { Pet } from '../../src/contract/pet.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { assertSoonRefused } from '../support/service/refused-key.ts';
import { call } from '../support/service/service.ts';

const server = await createCluster();
await server.start();

/** Starts several instances at the same time on one new database. */
async function startInstances(t: TestContext, count: number) {
  const DATABASE_URL = await createDatabase(server);
  const instances = await Promise.all(Array.from({ length: count }, () => spawnService(t, { DATABASE_URL })));
  return { DATABASE_URL, origins: instances.map(({ origin }) => origin) as [string, string, ...string[]] };
}

const rex = { name: 'Rex', categoryId: 7 };

describe('instances on one PostgreSQL', () => {
  it('can start at the same time on a new database, and each sees what the others have acknowledged', async (t) => {
    const { origins } = await startInstances(t, 3);
    for (let i = 0; i < 30; i++) {
      const { json } = await call(origins[i % 3] as string, 'POST', '/v1/pets', { body: rex });
      const seen = await call(origins[(i + 1) % 3] as string, 'GET', `/v1/pets?id=${(json as Pet).id}`);
      assert.equal((seen.json as Pet[]).length, 1);
    }
    const counts = await Promise.all(origins.map((origin) => call(origin, 'GET', '/v1/store/inventory')));
    assert.deepEqual(
      counts.map(({ text }) => text),
      Array(3).fill('{"available":30,"pending":0,"sold":0}'),
    );
  });

  it('accept a new key at once and refuse a revoked one within one second', async (t) => {
    const { DATABASE_URL, origins } = await startInstances(t, 2);
    const created = await animalStore(['keys', 'create', '--name', 'till', '--json'], { DATABASE_URL });
    const { id, key } = JSON.parse(created.stdout) as { id: string; key: string };
    const statuses = () =>
      Promise.all(origins.map(async (origin) => (await call(origin, 'GET', '/v1/pets', { key })).status));
    assert.deepEqual(await statuses(), [200, 200]);
    assert.equal((await animalStore(['keys', 'revoke', id], { DATABASE_URL })).code, 0);
    await assertSoonRefused(origins, key);
  });

  it('add one animal for a hundred concurrent creates with one Idempotency-Key', async (t) => {
    const { origins } = await startInstances(t, 2);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        call(origins[i % 2] as string, 'POST', '/v1/pets', {
          body: rex,
          headers: { 'idempotency-key': 'k' },
        }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    assert.equal(((await call(origins[0], 'GET', '/v1/pets')).json as Pet[]).length, 1);
  });

  it('sell an animal to exactly one of a hundred concurrent buyers', async (t) => {
    const { origins } = await startInstances(t, 2);
    for (let petId = 1; petId <= 5; petId++) {
      await call(origins[0], 'POST', '/v1/pets', { body: rex });
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          call(origins[i % 2] as string, 'POST', '/v1/store/orders', { body: { petId } }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [201, ...Array(99).fill(409)]);
    }
    const { text } = await call(origins[1], 'GET', '/v1/store/inventory');
    assert.equal(text, '{"available":0,"pending":5,"sold":0}');
  });

  it('either complete or cancel an order, never both', async (t) => {
    const { origins } = await startInstances(t, 2);
    for (let id = 1; id <= 10; id++) {
      await call(origins[0], 'POST', '/v1/pets', { body: rex });
      await call(origins[0], 'POST', '/v1/store/orders', { body: { petId: id } });
      const answers = await Promise.all(
        ['completed', 'cancelled'].map((status, i) =>
          call(origins[i] as string, 'PATCH', `/v1/store/orders/${id}`, { body: { status } }),
        ),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
      const expected = answers[0]?.status === 200 ? 'sold' : 'available';
      const [pet] = (await call(origins[1], 'GET', `/v1/pets?id=${id}`)).json as Pet[];
      assert.equal(pet?.status, expected);
    }
  });

  it('let one of fifty clients with the same If-Match change or remove an animal', async (t) => {
    const { origins } = await startInstances(t, 2);
    for (let round = 0; round < 5; round++) {
      const added = await call(origins[0], 'POST', '/v1/pets', { body: rex });
      const path = `/v1/pets/${(added.json as Pet).id}`;
      const headers = { 'if-match': added.headers.get('etag') ?? '' };
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) =>
          i % 10 === round
            ? call(origins[i % 2] as string, 'DELETE', path, { headers })
            : call(origins[i % 2] as string, 'PATCH', path, { headers, body: { name: `Rex ${i}` } }),
        ),
      );
      const won = answers.filter(({ status }) => status < 300);
      assert.equal(won.length, 1);
      // Once the animal is removed, there is nothing to compare the tag with.
      const refusal = won[0]?.status === 204 ? 404 : 412;
      const refused = answers.filter((answer) => answer !== won[0]);
      assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([refusal]));
      const { text } = await call(origins[1], 'GET', path);
      if (refusal === 412) assert.equal(text, won[0]?.text);
    }
  });

  it('either order or remove an animal, never both', async (t) => {
    const { origins } = await startInstances(t, 2);
    for (let petId = 1; petId <= 10; petId++) {
      await call(origins[0], 'POST', '/v1/pets', { body: rex });
      const [removed, ordered] = await Promise.all([
        call(origins[petId % 2] as string, 'DELETE', `/v1/pets/${petId}`),
        call(origins[(petId + 1) % 2] as string, 'POST', '/v1/store/orders', { body: { petId } }),
      ]);
      const outcome = [removed.status, ordered.status];
      assert.ok(['204,404', '409,201'].includes(outcome.join()), outcome.join());
      const listed = (await call(origins[0], 'GET', `/v1/pets?id=${petId}`)).json as Pet[];
      assert.equal(listed[0]?.status, removed.status === 204 ? undefined : 'pending');
    }
  });
});
