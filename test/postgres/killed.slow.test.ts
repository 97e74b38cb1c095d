import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseJson } from '../../src/contract/json.ts';
import { openStore } from '../../src/store/open.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { storedEvents } from '../support/events/events.ts';
import { eventually } from '../support/eventually.ts';
import { listPets } from '../support/lists.ts';
import { spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';

const server = await createCluster();
await server.start();

/** The id that a create returned, or undefined if it was not acknowledged. */
async function create(origin: string, key: string): Promise<string | undefined> {
  const options = { body: { name: key, categoryId: 1 }, headers: { 'idempotency-key': key } };
  const answer = await call(origin, 'POST', '/v1/pets', options).catch(() => undefined);
  return answer?.status === 201 ? String((answer.json as { id: number | bigint }).id) : undefined;
}

it('a process on PostgreSQL that is killed with writes in flight loses and doubles nothing', async (t) => {
  const DATABASE_URL = await createDatabase(server);
  const { child, origin, exited } = await spawnService(t, { DATABASE_URL });
  const acknowledged = new Map<string, string>();
  const unknown: string[] = [];
  const writers = Array.from({ length: 16 }, async (_, client) => {
    for (let n = 0; ; n++) {
      const id = await create(origin, `${client}-${n}`);
      if (id === undefined) return unknown.push(`${client}-${n}`);
      acknowledged.set(`${client}-${n}`, id);
    }
  });
  await eventually(() => acknowledged.size > 100, 'the load has started');
  child.kill('SIGKILL');
  assert.equal(await exited, 'SIGKILL');
  await Promise.all(writers);

  const again = await spawnService(t, { DATABASE_URL });
  for (const key of unknown) assert.ok(await create(again.origin, key));
  for (const [key, id] of acknowledged) assert.equal(await create(again.origin, key), id);
  const store = await openStore(DATABASE_URL);
  t.after(() => store.close());
  const stored = (await listPets(store, { limit: 10_000 })).map(({ name }) => name);
  assert.deepEqual(stored.toSorted(), [...acknowledged.keys(), ...unknown].toSorted());
  const events = await storedEvents(store, stored.length, { limit: 10_000 });
  assert.deepEqual(
    events.map(({ json }) => (parseJson(json) as { pet: { name: string } }).pet.name).toSorted(),
    stored.toSorted(),
    'each animal has exactly one event',
  );
  t.diagnostic(`${acknowledged.size} acknowledged, none lost; ${unknown.length} in flight, none doubled`);
});
