import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { EventPosition } from '../../../src/contract/event-id.ts';
import { limits } from '../../../src/contract/limits.ts';
import { isWanted } from '../../../src/store/events.ts';
import type { EventQuery, Store, StoredEvent } from '../../../src/store/store.ts';
import { storedEvents } from '../../support/events/events.ts';
import { orderIn, petIn } from '../../support/service/created.ts';
import type { Capabilities, Open } from '../conformance.ts';

const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;
const author = (keyId: string) => ({ keyId, keyName: `key ${keyId}` });

/** The events of every page, and how many each page has. */
async function walk(store: Store, query: EventQuery): Promise<{ events: StoredEvent[]; pages: number[] }> {
  const events: StoredEvent[] = [];
  const pages: number[] = [];
  let after: EventPosition | undefined = query.after;
  do {
    const page = await store.listEvents({ ...query, after });
    events.push(...page.events);
    pages.push(page.events.length);
    after = page.next;
  } while (after);
  return { events, pages };
}

export function eventFilters(open: Open, { thorough }: Capabilities): void {
  describe('lists events by type and key', () => {
    it('as the documented rule says, with every other filter, in both orders, from any event on', async (t) => {
      const { store } = await open(t);
      const ids: bigint[] = [];
      for (let i = 0; i < 12; i++) {
        const by = i % 3 === 0 ? undefined : author(`${i % 3}`);
        const { id } = petIn(await store.createPet(rex, { by }));
        ids.push(id);
        const order = orderIn(await store.createOrder({ petId: id }, { by: author('env-0123abcd') }));
        if (i % 2 === 0) await store.updateOrder(order.id, { status: 'completed' }, { by });
        else await store.updateOrder(order.id, { note: `${i}` }, { by });
        if (i % 4 === 0) await store.removePet(id, undefined, { by });
      }
      const all = await storedEvents(store, 39);
      const query = fc.record({
        limit: fc.integer({ min: 1, max: 9 }),
        types: fc.option(
          fc.subarray(['pet.created', 'pet.removed', 'order.placed', 'order.completed'] as const, {
            minLength: 1,
          }),
          { nil: undefined },
        ),
        keyIds: fc.option(fc.subarray(['1', '2', 'env-0123abcd', '99'], { minLength: 1 }), {
          nil: undefined,
        }),
        petId: fc.option(fc.constantFrom(...ids, 0n), { nil: undefined }),
        order: fc.constantFrom('oldest', 'newest'),
        after: fc.option(fc.nat(38), { nil: undefined }),
      });
      await fc.assert(
        fc.asyncProperty(query, async ({ after, ...given }) => {
          const inOrder = given.order === 'oldest' ? all : all.toReversed();
          const position = after === undefined ? undefined : all[after]?.position;
          const start = inOrder.findIndex((event) => event.position === position) + 1;
          const expected = inOrder.slice(start).filter((event) => isWanted(event, given));
          assert.deepEqual((await walk(store, { ...given, after: position })).events, expected);
        }),
        { numRuns: 200 },
      );
    });

    if (!thorough) return;

    it('at a bounded cost: a page ends after so many events, and the next one goes on there', async (t) => {
      const { store } = await open(t);
      const first = petIn(await store.createPet(rex, { by: author('1') }));
      const batch = Array.from({ length: 500 }, () => rex);
      for (let added = 0; added < limits.lookedAt; added += batch.length)
        await store.createPets(batch, { by: author('2') });
      await store.removePet(first.id, 'died', { by: author('1') });
      const query = { limit: 10, keyIds: ['1'] };
      const { events, pages } = await walk(store, query);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['pet.created', 'pet.removed'],
      );
      assert.deepEqual(pages, [1, 1]);
      const removals = { limit: 10, types: ['pet.removed'] as const };
      assert.deepEqual((await walk(store, removals)).pages, [0, 1]);
      assert.deepEqual((await walk(store, { ...removals, order: 'newest' })).pages, [1, 0]);
      assert.deepEqual((await walk(store, { ...removals, petId: first.id })).pages, [1]);
      assert.equal((await store.listEvents({ limit: 1, types: ['pet.created'] })).events.length, 1);
    });
  });
}
