import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Action, act } from '../../../src/web/browser/console/data/act.ts';
import * as actions from '../../../src/web/browser/console/data/actions.ts';
import * as categories from '../../../src/web/browser/console/data/category-actions.ts';
import { actOnSeveral } from '../../../src/web/browser/console/data/several.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { type Others, openShop, proxyError } from '../support/shop.ts';

const NAMES = ['Ava', 'Ben', 'Cleo', 'Dot', 'Eli'];
type Opened = Awaited<ReturnType<typeof openShop>>;

/** Ava is available, Ben reserved, Cleo sold, Dot sold without an order, Eli removed; the category 7, Dogs, has no animals. */
async function prepare(others: Others): Promise<void> {
  for (const id of [2, 3]) await others.order(id, { note: 'for Ms Lee' });
  await others.close(2, 'completed');
  await others.setPet(4, { status: 'sold' });
  await others.removePet(5);
  await others.nameCategory(7, 'Dogs');
}

/** Actions by what is said of them, and of their Undo. */
const CASES: Readonly<Record<string, (opened: Opened) => Action>> = {
  'Ava is reserved. Undone: Ava is available again.': (on) => actions.reserve(on.shop, on.animal(1n)),
  'Ava is sold. Undone: Ava is available again.': (on) => actions.sell(on.shop, on.animal(1n)),
  'Ben is sold. Undone: Ben is reserved again.': (on) => actions.sell(on.shop, on.animal(2n)),
  'Ben is available again. Undone: Ben is reserved again.': (on) => actions.cancel(on.shop, on.orderOf(2n)),
  'Cleo was taken back. Undone: Cleo is sold again.': (on) => actions.takeBack(on.shop, on.orderOf(3n)),
  'The note of Ben was removed. Undone: the note of Ben is “for Ms Lee” again.': (on) =>
    actions.setNote(on.shop, on.orderOf(2n), ''),
  'Dot is available now. Undone: Dot is sold now.': (on) => actions.makeAvailable(on.shop, on.animal(4n)),
  'Ava was moved from category 1 to Dogs. Undone: Ava was moved from Dogs to category 1.': (on) =>
    actions.move(7n)(on.shop, on.animal(1n)),
  'Ava was removed. Undone: Ava is restored.': (on) => actions.remove('died')(on.shop, on.animal(1n)),
  'Eli is restored. Undone: Eli was removed.': (on) => actions.restore(on.shop, on.animal(5n)),
  '“Dogs” was renamed to “Hounds”. Undone: the category is called “Dogs” again.': (on) =>
    categories.renameCategory(on.shop, 7n, 'Hounds'),
  'The category “Dogs” was removed. Undone: the category “Dogs” is there again.': (on) =>
    categories.removeCategory(on.shop, on.shop.cache.categories.peek(7n) ?? assert.fail()),
  'The category “Newts” was added. Undone: the category “Newts” was removed.': (on) =>
    categories.addCategory(on.shop, 'Newts'),
};

for (const [name, action] of Object.entries(CASES))
  test(`one request does it, one undoes it, sent again without an answer: ${name}`, async (t) => {
    const opened = await openShop(t, NAMES, { prepare });
    const { shop, network, animal, said, press } = opened;
    const { client } = shop.api;
    await shop.animals.lookUp([5n]);
    const eventCount = async () => (await client.listEvents({ limit: 100 })).items.length;
    const animals = () => [1n, 2n, 3n, 4n, 5n].map(animal);
    const known = () => [
      shop.categories.nameOf(7n),
      ...animals().map(({ removed, ...one }) => ({ ...one, reason: removed?.reason })),
    ];
    const before = known();
    const seen: string[] = [];
    for (const run of [() => act(shop, action(opened)), () => press('Undo')]) {
      network.requests.length = 0;
      const happened = await eventCount();
      network.fail(/^(?!GET)/, 'unanswered');
      await run();
      network.heal();
      await press('Try again');
      const [first, ...again] = network.changes;
      assert.deepEqual(again, [first], 'the same request, with the same key');
      seen.push(said().join());
      assert.equal(await eventCount(), happened + 1);
      // What has become of it is known without asking.
      for (const { removed, ...pet } of animals()) {
        const [stored] = (await client.listPets({ id: pet.id, removed: removed !== undefined })).items;
        assert.partialDeepStrictEqual(stored, pet);
      }
    }
    assert.equal(seen.join(' '), name);
    assert.equal(shop.messages.all.peek()[0]?.offer, undefined);
    assert.deepEqual(known(), before);
  });

test('an Undo never takes back what someone else has made of it meanwhile', async (t) => {
  const { others, shop, animal, orderOf, said, press } = await openShop(t, NAMES, { prepare });
  const { reserve, cancel, move, setNote } = actions;
  const setTheirNote = () => others.setOrder(2, { note: 'theirs' }).then(() => shop.orders.lookUp([2n]));
  const setTheirName = () => others.nameCategory(7, 'Terriers').then(() => shop.categories.load());
  const cases: [Action, meanwhile: () => Promise<unknown>, text: string][] = [
    [reserve(shop, animal(1n)), () => others.close(3, 'completed'), 'Ava is sold.'],
    [cancel(shop, orderOf(2n)), () => others.removePet(2), 'Ben is removed.'],
    [move(7n)(shop, animal(4n)), () => others.setPet(4, { name: 'Dotty' }), 'Dot was changed again since.'],
    [setNote(shop, orderOf(3n), 'mine'), setTheirNote, 'the note of Cleo is “theirs” now.'],
    [categories.renameCategory(shop, 7n, 'Hounds'), setTheirName, 'it is called “Terriers” now.'],
  ];
  for (const [action, meanwhile, text] of cases) {
    await act(shop, action);
    await meanwhile();
    await press('Undo');
    assert.equal(said().at(-1), `Not undone: ${text}`);
  }
  assert.equal(shop.categories.nameOf(7n), 'Terriers');
  // A note that is back already, such as by an Undo without an answer, is no note of someone else.
  await act(shop, setNote(shop, orderOf(2n), 'mine'));
  await others.setOrder(1, { note: 'for Ms Lee' });
  await shop.orders.lookUp([1n]);
  await press('Undo');
  assert.equal(said().at(-1), 'Undone: the note of Ben is “for Ms Lee” again.');
});

test('the animals of a category move to another one, with progress, and it goes on where it was', async (t) => {
  const { others, shop, network, said, press } = await openShop(t, ['Ham', 'Hanna']);
  await others.addTo(2, ['Roger']);
  for (const [index, name] of ['Hamsters', 'Rabbits'].entries()) await others.nameCategory(index + 1, name);
  await shop.categories.load();
  const [hamsters, rabbits] = shop.categories.all.peek();
  assert.ok(hamsters && rabbits);
  network.hold(/^PATCH/);
  network.fail(/^PATCH .*pets\/1\b/, 'lost');
  const merged = act(shop, categories.mergeCategory(shop, hamsters, rabbits));
  await network.untilHeld(1);
  assert.equal(shop.running.at('category-1'), 'Moving… 0 of 2');
  network.releaseAll();
  assert.equal((await merged)?.isDone, false);
  network.heal();
  await press('Try again');
  assert.deepEqual(said(), ['2 moved to “Rabbits”, and “Hamsters” was removed.']);
  assert.equal(shop.messages.all.peek()[0]?.offer, undefined);
  assert.deepEqual(await others.get('categories'), [
    { id: 2, name: 'Rabbits', inventory: { available: 3, pending: 0, sold: 0 } },
  ]);
  await eventually(() => shop.categories.all.peek().length === 1, 'it is gone');
});

const IDS = [1n, 2n, 3n] as const;

/** Three animals, of which several are selected. */
async function openSelection(t: Parameters<typeof openShop>[0]) {
  const opened = await openShop(t, ['Ava', 'Ben', 'Cleo']);
  const { shop, animal } = opened;
  const runAll = (
    action: actions.AnimalAction,
    words = ['were sold', 'the sale'],
    ids: readonly bigint[] = IDS,
  ) => {
    const [past = '', what = ''] = words;
    return actOnSeveral(shop, ids.map(animal), action, { running: 'Working', past, what });
  };
  const statuses = () => IDS.map((id) => animal(id).status);
  return { ...opened, runAll, statuses };
}

test('several are sold, moved or removed with one request each; one message tells of all, and one Undo, last first', async (t) => {
  const { others, shop, network, animal, said, press, runAll, statuses } = await openSelection(t);
  network.hold(/^POST/);
  const sold = runAll(actions.sell);
  await network.untilHeld(1);
  assert.equal(shop.running.at('selection'), 'Working 1 of 3…');
  network.releaseAll();
  assert.deepEqual(await sold, IDS);
  assert.equal(shop.running.at('selection'), undefined);
  assert.deepEqual([said(), network.changes.length], [['3 animals were sold.'], 3]);
  await press('Undo');
  assert.deepEqual(said(), ['Undone: the sale of 3 animals.']);
  assert.equal(shop.messages.all.peek()[0]?.offer, undefined);
  const undone = network.changes.slice(3).map(({ line }) => line.split('/').at(-1));
  assert.deepEqual(undone, ['3', '2', '1']);
  assert.deepEqual(statuses(), ['available', 'available', 'available']);
  await runAll(actions.move(9n), ['were moved', 'the move'], [1n, 2n]);
  assert.deepEqual([animal(1n).categoryId, animal(2n).categoryId], [9n, 9n]);
  await others.setPet(1, { categoryId: 5 });
  await press('Undo');
  const text = 'Undone: the move of 1 animal. Not undone: Ava was changed again since.';
  assert.equal(said().at(-1), text);
  // The debounced refresh counts the rest.
  await runAll(actions.remove('Given away'), ['were removed', 'the removal']);
  await eventuallyEqual(() => shop.counts.all.peek()?.available, 0n);
  await press('Undo');
  assert.equal((await others.get('pets')).length, 3);
});

test('what is refused is said, and the others are done and undone all the same', async (t) => {
  const { others, shop, network, said, offered, press, runAll, statuses } = await openSelection(t);
  // Another till is faster.
  await others.order(2, { status: 'completed' });
  assert.deepEqual(await runAll(actions.sell), [1n, 3n]);
  assert.deepEqual(said(), ['2 animals were sold. Not sold: Ben is sold already.']);
  const undo = offered('Undo');
  await others.close(3, 'returned');
  network.hold(/^PATCH/);
  const undone = undo.run();
  await network.untilHeld(1);
  await undo.run();
  assert.equal(shop.running.at('selection'), 'Undoing 1 of 2…', 'a second click does nothing');
  network.releaseAll();
  await undone;
  assert.deepEqual(said(), ['Undone: the sale of 1 animal. Not undone: Cleo is available.']);
  assert.deepEqual(statuses(), ['available', 'sold', 'available']);
  for (const id of [1, 3]) await others.setPet(id, { status: 'sold' });
  assert.deepEqual(await runAll(actions.sell), []);
  assert.equal(said().at(-1), 'Not sold: Ava is sold already. 2 more not.');
  assert.equal(shop.messages.all.peek().at(-1)?.offer, undefined, 'there is nothing to undo');
  // Something runs on the animal already, and says what becomes of it.
  const before = said();
  shop.running.set('animal-1', 'Moving…');
  assert.deepEqual(await runAll(actions.sell, undefined, [1n]), []);
  assert.deepEqual(said(), before);
  // The page asks for another key, and says nothing more.
  shop.running.set('animal-1', undefined);
  await others.setPet(1, { status: 'available' });
  await shop.refresh();
  await runAll(actions.sell, undefined, [1n]);
  assert.equal(said().at(-1), 'Ava is sold.');
  network.fail(/^PATCH/, proxyError(401));
  await press('Undo');
  assert.equal(said().includes(''), false);
});

test('it stops at the first one without an answer, which can be tried again', async (t) => {
  const { shop, network, said, runAll, statuses } = await openSelection(t);
  network.fail(/"petId":[23]/, 'unanswered');
  assert.deepEqual(await runAll(actions.sell), [1n]);
  assert.equal(network.changes.length, 2);
  network.heal();
  const [again, undo] = shop.messages.all.peek();
  assert.deepEqual([again?.offer?.label, undo?.offer?.label], ['Try again', 'Undo']);
  await again?.offer?.run();
  await undo?.offer?.run();
  assert.deepEqual(said(), ['Ben is sold.', 'Undone: Ava is available again.']);
  assert.deepEqual(statuses(), ['available', 'sold', 'available']);
});
