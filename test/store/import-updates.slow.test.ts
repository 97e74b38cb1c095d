import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { INT64_MAX } from '../../src/contract/int64.ts';
import type { NewPet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import { type ImportedPet, type ImportOptions, RowsRefused } from '../../src/store/tools/pet-transfer.ts';
import { bothStores } from '../support/database/both-stores.ts';
import { connect } from '../support/database/sql.ts';
import { eventsOf } from '../support/events/events.ts';
import { listCategories, listPets } from '../support/lists.ts';
import { orderIn, petIn } from '../support/service/created.ts';

const rex = (categoryId = 1n): NewPet => ({ name: 'Rex', categoryId, status: 'available' });

for (const [kind, createUrl] of bothStores) {
  async function start(t: TestContext) {
    const url = await createUrl(t);
    const store = await openStore(url);
    t.after(() => store.close());
    const all = { limit: 1000 };
    return {
      url,
      store,
      /** Imports rows, the first of which is on line 2. */
      import(rows: readonly ImportedPet[], options: ImportOptions = {}) {
        const numbered = rows.map((row, i) => ({ ...row, line: i + 2 }));
        return importPets(url, batches(numbered), options);
      },
      pets: async () => (await listPets(store, all)).reverse(),
      categories: () => listCategories(store, all),
    };
  }

  async function* batches<T>(rows: readonly T[]): AsyncGenerator<T[]> {
    for (const row of rows) yield [row];
  }

  const refused =
    (...problems: readonly (readonly [line: number, problem: RegExp])[]) =>
    (error: unknown) => {
      assert.ok(error instanceof RowsRefused, String(error));
      assert.deepEqual(
        error.rows.map(({ line }) => line),
        problems.map(([line]) => line),
      );
      for (const [i, [, problem]] of problems.entries()) assert.match(error.rows[i]?.problem ?? '', problem);
      return true;
    };

  describe(`importPets in the change feed in ${kind}`, () => {
    it('is one event for all added animals, and one for each animal and category that changes', async (t) => {
      const { store, import: run } = await start(t);
      const old = petIn(await store.createPet({ ...rex(), name: 'Old "name"' }));
      const same = petIn(await store.createPet(rex()));
      await run([]);
      await run([rex(INT64_MAX), rex(), { ...rex(), categoryId: undefined, category: 'Dogs' }]);
      await run([{ id: old.id, name: 'New' }, { id: same.id, name: 'Rex' }, rex(5n)], { update: true });
      const events = await eventsOf(store, 6);
      const [, , dogs, first, changed, second] = events.map(({ id, at, ...content }) => content);
      const nobody = { keyId: null, keyName: null };
      const [category] = await listCategories(store, { limit: 1 });
      assert.deepEqual(dogs, {
        type: 'category.created',
        ...nobody,
        category: { id: Number(category?.id), name: category?.name },
      });
      assert.deepEqual(first, {
        type: 'pets.imported',
        ...nobody,
        imported: { count: 3, firstId: 3, lastId: 5 },
      });
      assert.deepEqual(changed, {
        type: 'pet.updated',
        ...nobody,
        pet: { id: 1, name: 'New', categoryId: 1, status: 'available' },
        before: { name: 'Old "name"' },
      });
      assert.deepEqual(second, {
        type: 'pets.imported',
        ...nobody,
        imported: { count: 1, firstId: 6, lastId: 6 },
      });
      assert.equal(events.length, 6);
      assert.deepEqual(
        (await store.listEvents({ limit: 9, petId: old.id })).events.map(({ type }) => type),
        ['pet.created', 'pet.updated'],
      );
    });

    it('keeps given ids, and has no event if it fails', async (t) => {
      const { store, import: run } = await start(t);
      await run(
        [
          { ...rex(), id: 7n },
          { ...rex(), id: INT64_MAX - 1n },
        ],
        { keepIds: true },
      );
      await assert.rejects(run([{ id: 99n, name: 'Gone' }, rex()], { update: true }));
      const [{ imported }] = (await eventsOf(store, 1)) as [{ imported: object }];
      assert.deepEqual(imported, { count: 2, firstId: 7, lastId: INT64_MAX - 1n });
      assert.equal((await store.listEvents({ limit: 9 })).events.length, 1);
    });
  });

  describe(`importPets with names of categories in ${kind}`, () => {
    const named = (category: string, categoryId?: bigint): ImportedPet => ({
      name: 'Rex',
      status: 'available',
      category,
      categoryId,
    });

    it('finds them ignoring case, and creates those that are missing, each once', async (t) => {
      const { store, import: run, pets, categories } = await start(t);
      await store.setCategory({ id: 7n, name: 'Straße' });
      // The first identifiers that a new category would get: one of an animal and one of a row.
      await store.createPet(rex(2n));
      const result = await run([named('STRASSE'), named('Cats'), rex(3n), named('cATS'), named('Birds', 9n)]);
      const cats = result.categories.find(({ name }) => name === 'Cats')?.id ?? 0n;
      assert.ok(![0n, 2n, 3n, 7n, 9n].includes(cats), `${cats}`);
      assert.deepEqual(result, {
        added: 5,
        changed: 0,
        categories: [
          { id: 9n, name: 'Birds' },
          { id: cats, name: 'Cats' },
        ],
      });
      assert.deepEqual(
        (await pets()).map(({ categoryId }) => categoryId),
        [2n, 7n, cats, 3n, cats, 9n],
      );
      assert.deepEqual(
        (await categories()).map(({ name }) => name),
        ['Birds', 'Cats', 'Straße'],
      );
      assert.equal((await run([named('cats')])).categories.length, 0);
    });

    it('gives a name the identifier that another row has for it', async (t) => {
      const { import: run, pets } = await start(t);
      await run([named('Cats'), named('CATS', 12n)]);
      assert.deepEqual(
        (await pets()).map(({ categoryId }) => categoryId),
        [12n, 12n],
      );
    });

    it('refuses rows whose name and identifier contradict, and then creates no category either', async (t) => {
      const { store, import: run, pets, categories } = await start(t);
      await store.setCategory({ id: 7n, name: 'Dogs' });
      const rows = [
        named('dogs', 7n),
        named('Dogs', 8n),
        named('Cats', 7n),
        named('Birds', 9n),
        named('Fish', 9n),
      ];
      const contradiction = /^category is not the name of this categoryId: leave one of the two out$/;
      for (const isCheck of [true, false])
        await assert.rejects(
          run(rows, { isCheck: () => isCheck }),
          refused([3, contradiction], [4, contradiction], [6, contradiction]),
        );
      assert.deepEqual(await pets(), []);
      assert.equal((await categories()).length, 1);
    });
  });

  describe(`importPets with update in ${kind}`, () => {
    const update = { update: true };

    it('refuses every row that does not fit, and then changes nothing', async (t) => {
      const { store, import: run, pets } = await start(t);
      for (let i = 0; i < 4; i++) await store.createPet(rex());
      await store.removePet(2n);
      for (const petId of [3n, 4n]) await store.createOrder({ petId });
      const before = await pets();
      const rows: ImportedPet[] = [
        { id: 1n, name: 'Kit' },
        { id: 2n, name: 'Kit' },
        { id: 99n, name: 'Kit' },
        { id: 3n, status: 'available' },
        { id: 4n, status: 'pending', name: 'Kit' },
        { id: 1n, name: 'Mia' },
        { name: 'Bo', category: 'Cats', status: 'available' },
      ];
      for (const isCheck of [true, false])
        await assert.rejects(
          run(rows, { ...update, isCheck: () => isCheck }),
          refused(
            [3, /^there is no animal with the id 2$/],
            [4, /^there is no animal with the id 99$/],
            [
              5,
              /^the animal has an open order, which decides its status: leave the status out, or complete or cancel the order first$/,
            ],
            [7, /^line 2 has the same id$/],
          ),
        );
      assert.deepEqual(await pets(), before);
      assert.deepEqual(await listCategories(store, { limit: 9 }), []);
      assert.equal(
        (await run([rows[4] ?? {}], update)).changed,
        1,
        'other fields of an ordered animal can change',
      );
    });

    it('refuses a row with another status of an animal that an order has sold, and names the order', async (t) => {
      const { store, import: run, pets } = await start(t);
      for (let i = 0; i < 3; i++) await store.createPet(rex());
      await store.createPet({ ...rex(), status: 'sold' });
      // The order of the second animal is not the first one, so that their ids differ.
      const other = orderIn(await store.createOrder({ petId: 1n }));
      await store.updateOrder(other.id, { status: 'cancelled' });
      const sold: bigint[] = [];
      for (const petId of [1n, 2n]) {
        const order = orderIn(await store.createOrder({ petId }));
        await store.updateOrder(order.id, { status: 'completed' });
        sold.push(order.id);
      }
      const before = await pets();
      const rows: ImportedPet[] = [
        { id: 3n, name: 'Kit' },
        { id: 1n, status: 'available' },
        { id: 2n, status: 'pending', name: 'Kit' },
        { id: 4n, status: 'available' },
      ];
      await assert.rejects(
        run(rows, update),
        refused(
          [3, new RegExp(`\\border ${sold[0]}\\b.*\\breturn`, 'i')],
          [4, new RegExp(`\\border ${sold[1]}\\b.*\\breturn`, 'i')],
        ),
      );
      assert.deepEqual(await pets(), before);
      const allowed: ImportedPet[] = [
        { id: 1n, name: 'Ada' },
        { id: 2n, name: 'Tom', status: 'sold' },
        { id: 4n, status: 'available' },
      ];
      assert.equal((await run(allowed, update)).changed, 3);
      await store.updateOrder(sold[0] as bigint, { status: 'returned' });
      assert.equal((await run([{ id: 1n, status: 'pending' }], update)).changed, 1);
    });

    it('changes and locks nothing when it only checks the rows', async (t) => {
      const { url, store, import: run, pets, categories } = await start(t);
      await store.createPet(rex());
      const [before, { events }] = [await pets(), await store.listEvents({ limit: 9 })];
      const rows: ImportedPet[] = [
        { id: 1n, name: 'Kit', category: 'Dogs' },
        { ...rex(), category: 'Cats', categoryId: 7n },
      ];
      const check = () => run(rows, { ...update, isCheck: () => true });
      // A check that locks anything would wait for ever, or until it fails.
      const besideWrite = {
        postgres: () =>
          connect(t, url).begin(async (other) => {
            await other`LOCK TABLE pets, categories, events, category_counter IN EXCLUSIVE MODE`;
            return check();
          }),
        sqlite: () => {
          const other = new DatabaseSync(url.slice('sqlite:'.length));
          other.exec('BEGIN IMMEDIATE');
          return check().finally(() => other.close());
        },
      };
      const { changed } = await besideWrite[kind]();
      assert.equal(changed, 1);
      assert.deepEqual(await pets(), before);
      assert.deepEqual(await categories(), []);
      assert.deepEqual((await store.listEvents({ limit: 9 })).events, events);
      assert.equal((await run(rows, update)).added, 1);
      assert.equal((await pets()).at(-1)?.id, 2n, 'the check has used no id');
    });

    it('reports a bounded number of rows', async (t) => {
      const { import: run } = await start(t);
      const rows = Array.from({ length: 150 }, (_, i) => ({ id: BigInt(i + 1), name: 'Kit' }));
      await assert.rejects(run(rows, update), (error: RowsRefused) => {
        assert.equal(error.rows.length, 100);
        assert.equal(error.message, 'At least 100 rows do not fit the store');
        return true;
      });
    });

    it('decides between an order and a change of status, whichever comes first', async (t) => {
      const { store, import: run } = await start(t);
      for (let id = 1n; id <= 20n; id++) {
        await store.createPet(rex());
        const [change, order] = await Promise.allSettled([
          run([{ id, status: 'sold' }], update),
          store.createOrder({ petId: id }),
        ]);
        assert.notEqual(change.status, order.status);
        const status = change.status === 'fulfilled' ? 'sold' : 'pending';
        assert.equal((await store.getPet(id))?.status, status);
      }
    });
  });
}
