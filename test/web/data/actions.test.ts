import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Action, act } from '../../../src/web/browser/console/data/act.ts';
import * as actions from '../../../src/web/browser/console/data/actions.ts';
import type { Animal } from '../../../src/web/browser/console/data/cache.ts';
import { gatherSales } from '../../../src/web/browser/console/data/csv.ts';
import { EditForm } from '../../../src/web/browser/console/data/forms.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { eventually } from '../../support/eventually.ts';
import type { Service } from '../../support/service/service.ts';
import {
  add,
  animal,
  close,
  nameCategory,
  offered,
  openShopWith,
  order,
  orderOf,
  said,
  setPet,
  today,
} from '../support/shop-calls.ts';

const ORDERS = '/v1/store/orders';

/** Ava is available, Ben reserved, Cleo sold, Dot sold without an order, Eli removed; the category 7, Dogs, has no animals. */
async function prepare(service: Service): Promise<void> {
  for (const id of [2, 3]) await order(service, id, 'for Ms Lee');
  await close(service, 2, 'completed');
  await setPet(service, 4, { status: 'sold' });
  await service.call('DELETE', '/v1/pets/5?reason=died');
  await nameCategory(service, 7, 'Dogs');
}

/** Actions by their request and what is said, and those of their Undo. */
const CASES: Readonly<Record<string, (shop: Shop) => Action>> = {
  'POST store/orders: Ava is reserved. PATCH store/orders/3: Undone: Ava is available again.': (shop) =>
    actions.reserve(shop, animal(shop, 1n)),
  'POST store/orders: Ava is sold. PATCH store/orders/3: Undone: Ava is available again.': (shop) =>
    actions.sell(shop, animal(shop, 1n)),
  'PATCH store/orders/1: Ben is sold. PATCH store/orders/1: Undone: Ben is reserved again.': (shop) =>
    actions.sell(shop, animal(shop, 2n)),
  'PATCH store/orders/1: Ben is available again. PATCH store/orders/1: Undone: Ben is reserved again.': (
    shop,
  ) => actions.cancel(shop, orderOf(shop, 2n)),
  'PATCH store/orders/2: Cleo was taken back. PATCH store/orders/2: Undone: Cleo is sold again.': (shop) =>
    actions.takeBack(shop, orderOf(shop, 3n)),
  'PATCH store/orders/1: The note of Ben was removed. PATCH store/orders/1: Undone: the note of Ben is “for Ms Lee” again.':
    (shop) => actions.setNote(shop, orderOf(shop, 2n), ''),
  'PATCH pets/4: Dot is available now. PATCH pets/4: Undone: Dot is sold now.': (shop) =>
    actions.makeAvailable(shop, animal(shop, 4n)),
  'PATCH pets/1: Ava was moved from category 1 to Dogs. PATCH pets/1: Undone: Ava was moved from Dogs to category 1.':
    (shop) => actions.move(7n)(shop, animal(shop, 1n)),
  'DELETE pets/1?reason=died: Ava was removed. POST pets/1/restore: Undone: Ava is restored.': (shop) =>
    actions.remove('died')(shop, animal(shop, 1n)),
  'POST pets/5/restore: Eli is restored. DELETE pets/5?reason=died: Undone: Eli was removed.': (shop) =>
    actions.restore(shop, animal(shop, 5n)),
  'PUT categories/7: “Dogs” was renamed to “Hounds”. PUT categories/7: Undone: the category is called “Dogs” again.':
    (shop) => actions.renameCategory(shop, 7n, 'Hounds'),
  'DELETE categories/7: The category “Dogs” was removed. PUT categories/7: Undone: Category 7 is called “Dogs”.':
    (shop) => actions.removeCategory(shop, shop.cache.categories.peek(7n) ?? assert.fail()),
  'POST categories: The category “Newts” was added. DELETE categories/8: Undone: The category “Newts” was removed.':
    (shop) => actions.addCategory(shop, 'Newts'),
};

for (const [name, action] of Object.entries(CASES))
  test(`one request does it, one undoes it, sent again without an answer: ${name}`, async (t) => {
    const { shop, network } = await openShopWith(t, ['Ava', 'Ben', 'Cleo', 'Dot', 'Eli'], prepare);
    await shop.animals.lookUp([5n]);
    const { client } = shop.api;
    const events = async () => (await client.listEvents({ limit: 100 })).items.length;
    const animals = () => [1n, 2n, 3n, 4n, 5n].map((id) => animal(shop, id));
    const [before, dogs] = [withoutTimes(animals()), shop.categories.nameOf(7n)];
    const seen: string[] = [];
    for (const run of [() => act(shop, action(shop)), () => offered(shop, 'Undo').run()]) {
      network.requests.length = 0;
      const happened = await events();
      network.fail((line) => (!line.startsWith('GET') ? 'unanswered' : undefined));
      await run();
      network.heal();
      await offered(shop, 'Try again').run();
      const [first, ...again] = network.changes;
      assert.deepEqual(again, [first], 'the same request, with the same key');
      seen.push(`${first?.line.replace('/v1/', '')}: ${said(shop).at(-1)}`);
      assert.equal(await events(), happened + 1);
      // What has become of it is known without asking.
      for (const { removed, ...pet } of animals()) {
        const [stored] = (await client.listPets({ id: pet.id, removed: removed !== undefined })).items;
        assert.partialDeepStrictEqual(stored, pet);
      }
    }
    assert.equal(seen.join(' '), name);
    assert.deepEqual([shop.messages.all.peek().length, shop.messages.all.peek()[0]?.offer], [1, undefined]);
    assert.deepEqual([withoutTimes(animals()), shop.categories.nameOf(7n)], [before, dogs]);
  });

const withoutTimes = (all: readonly Animal[]) =>
  all.map(({ removed, ...one }) => ({ ...one, reason: removed?.reason }));

test('a sale over the counter that is undone leaves no sale', async (t) => {
  const { shop } = await openShopWith(t, ['Ava', 'Ben']);
  await act(shop, actions.sell(shop, animal(shop, 1n)));
  await offered(shop, 'Undo').run();
  const { status, completedAt } = await shop.api.client.getOrder(1n);
  assert.deepEqual([status, completedAt], ['cancelled', undefined]);
  await act(shop, actions.sell(shop, animal(shop, 2n)));
  await shop.open(today());
  assert.deepEqual(shop.soldList.ids.peek(), [2n]);
  const file = await gatherSales(shop, 'today', { progress: () => {}, isWanted: () => true });
  assert.equal(file?.includes('Ava'), false);
  assert.equal(file?.includes('Ben'), true);
});

test('an Undo never takes back what someone else has made of it meanwhile', async (t) => {
  const { service, shop } = await openShopWith(t, ['Ava', 'Ben', 'Cleo', 'Dot', 'Eli'], prepare);
  const undo = async (action: Action, meanwhile: () => Promise<unknown>) => {
    await act(shop, action);
    const offer = offered(shop, 'Undo');
    await meanwhile();
    await offer.run();
    return said(shop).at(-1);
  };
  const ava = await undo(actions.reserve(shop, animal(shop, 1n)), () => close(service, 3, 'completed'));
  assert.equal(ava, 'Not undone: Ava is sold.');
  const ben = await undo(actions.cancel(shop, orderOf(shop, 2n)), () => service.call('DELETE', '/v1/pets/2'));
  assert.equal(ben, 'Not undone: Ben is removed.');
  const dot = await undo(actions.move(7n)(shop, animal(shop, 4n)), () =>
    setPet(service, 4, { name: 'Dotty' }),
  );
  assert.equal(dot, 'Not undone: Dot was changed again since.');
  const note = await undo(actions.setNote(shop, orderOf(shop, 3n), 'mine'), async () => {
    await service.call('PATCH', `${ORDERS}/2`, { body: { note: 'theirs' } });
    await shop.orders.lookUp([2n]);
  });
  assert.equal(note, 'Not undone: the note of Cleo is “theirs” now.');
  const named = await undo(actions.renameCategory(shop, 7n, 'Hounds'), async () => {
    await nameCategory(service, 7, 'Terriers');
    await shop.categories.load();
  });
  assert.equal(named, 'Not undone: it is called “Terriers” now.');
  assert.equal(shop.categories.nameOf(7n), 'Terriers');
});

test('an edit is undone with the version of its own answer', async (t) => {
  const { service, shop, network } = await openShopWith(t, ['Ava']);
  const form = new EditForm(shop, animal(shop, 1n));
  form.edit({ name: 'Eva' });
  assert.equal(await form.save(), true);
  assert.equal(network.changes.length, 1);
  await setPet(service, 1, { name: 'Ivy' });
  await offered(shop, 'Undo').run();
  const [saved, undone] = network.changes;
  assert.ok(saved?.ifMatch !== undefined && undone?.ifMatch !== undefined);
  assert.notEqual(saved.ifMatch, undone.ifMatch);
  assert.match(`${said(shop).at(-1)}`, /^Not undone: \S+ was changed again since\.$/);
  assert.equal((await shop.api.client.listPets()).items[0]?.name, 'Ivy');
});

test('the animals of a category move to another one, with progress, and it goes on where it was', async (t) => {
  const { service, shop, network } = await openShopWith(t, [], async (one) => {
    await nameCategory(one, 1, 'Hamsters');
    await nameCategory(one, 2, 'Rabbits');
    for (const id of [1, 1, 2]) await add(one, 'Rex', id);
  });
  const [hamsters, rabbits] = shop.categories.all.peek();
  assert.ok(hamsters && rabbits);
  network.hold((line) => line.startsWith('PATCH'));
  network.fail((line) => (line === 'PATCH /v1/pets/1' ? 'lost' : undefined));
  const merged = act(shop, actions.mergeCategory(shop, hamsters, rabbits));
  await network.untilHeld(1);
  assert.equal(shop.running.at('category-1'), 'Moving… 0 of 2');
  network.releaseAll();
  assert.equal((await merged)?.isDone, false);
  network.heal();
  await offered(shop, 'Try again').run();
  assert.deepEqual(said(shop), ['2 moved to “Rabbits”, and “Hamsters” was removed.']);
  assert.equal(shop.messages.all.peek()[0]?.offer, undefined);
  assert.deepEqual((await service.call('GET', '/v1/categories')).json, [
    { id: 2, name: 'Rabbits', inventory: { available: 3, pending: 0, sold: 0 } },
  ]);
  await eventually(() => shop.categories.all.peek().length === 1, 'it is gone');
});
