import assert from 'node:assert/strict';
import { it } from 'node:test';
import { INT64_MAX } from '../../src/contract/int64.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { rejects } from '../support/assert.ts';
import { bothStores, execute } from '../support/database/both-stores.ts';
import { listPets } from '../support/lists.ts';
import { orderIn, petIn } from '../support/service/created.ts';
import { openOn } from './conformance.ts';

const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

for (const [kind, createUrl] of bothStores) {
  it(`The id 2^63-1 is assigned in ${kind}; after that, creates are unavailable, it is not ready, and everything else works`, async (t) => {
    const url = await createUrl(t);
    const { store, close, reopen } = await openOn(t, url);
    await store.createPet(rex);
    await close();
    await execute(url, {
      sqlite: `UPDATE sqlite_sequence SET seq = ${INT64_MAX - 1n} WHERE name = 'pets' RETURNING seq`,
      postgres: `SELECT setval('pets_id_seq', ${INT64_MAX - 1n})`,
    });
    const again = await reopen();
    const last = { id: INT64_MAX, ...rex };
    assert.deepEqual(petIn(await again.createPet(rex)), last);
    await rejects(again.ready(), 'unavailable');
    const order = orderIn(await again.createOrder({ petId: INT64_MAX }));
    await again.updateOrder(order.id, { status: 'cancelled' });
    const creates = await Promise.allSettled([again.createPet(rex), again.createPet(rex)]);
    for (const outcome of creates)
      assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'unavailable');
    assert.deepEqual(await again.getPet(INT64_MAX), last);
    const from = { id: INT64_MAX - 1n };
    assert.deepEqual(await listPets(again, { limit: 10, from }), [{ id: 1n, ...rex }]);
    await again.createKey({ name: 'till 3', digest: 'd', scopes: ['*'] });
  });

  it(`An order in ${kind} is never updated before it was created, even if the clock was set back`, async (t) => {
    const url = await createUrl(t);
    const { store } = await openOn(t, url);
    for (const status of ['completed', 'cancelled'] as const) {
      const pet = petIn(await store.createPet(rex));
      const order = orderIn(await store.createOrder({ petId: pet.id }));
      await execute(url, {
        sqlite: `UPDATE orders SET created_at = created_at + 86400000 WHERE id = ${order.id} RETURNING id`,
        postgres: `UPDATE orders SET created_at = created_at + interval '1 day' WHERE id = ${order.id}`,
      });
      const { createdAt, updatedAt } = orderIn(await store.updateOrder(order.id, { status }));
      assert.ok(createdAt > order.createdAt);
      assert.equal(updatedAt, createdAt);
    }
  });
}
