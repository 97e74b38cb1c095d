import assert from 'node:assert/strict';
import { test } from 'node:test';
import { act } from '../../../src/web/browser/console/data/act.ts';
import { removeCategory, renameCategory } from '../../../src/web/browser/console/data/category-actions.ts';
import {
  AddForm,
  EditForm,
  problemWithName,
  wantedCategory,
} from '../../../src/web/browser/console/data/forms.ts';
import { eventually } from '../../support/eventually.ts';
import { openShop } from '../support/shop.ts';

type Owner = Parameters<typeof openShop>[0];

/** The form in a shop without animals. */
async function openAdd(t: Owner) {
  const opened = await openShop(t, []);
  const { shop, others, said } = opened;
  const form = new AddForm(shop);
  const enter = (name: string, category = '7'): boolean => {
    form.edit({ name, category });
    return form.submit();
  };
  /** Waits until so many entries are added or refused. */
  const untilSaid = (count: number) => {
    const isOver = () => said().length === count && !said().some((text) => text.includes('…'));
    return eventually(isOver, `${count} entries are done`);
  };
  const stored = async () => (await others.get('pets')).map(({ name }) => name).toSorted();
  return { ...opened, form, enter, untilSaid, stored };
}

test('two fast entries with one new category create it once, and it is known until it is gone', async (t) => {
  const { others, shop, network, animal, enter, untilSaid } = await openAdd(t);
  const created = () => network.changes.filter(({ line }) => line === 'POST /v1/categories').length;
  const categories = () => shop.added.peek().map((id) => shop.categories.nameOf(animal(id).categoryId));
  for (const name of ['Ava', 'Ben']) enter(name, 'Newts');
  await untilSaid(2);
  enter('Cleo', 'newts');
  await untilSaid(3);
  assert.deepEqual([created(), categories()], [1, ['Newts', 'Newts', 'Newts']]);
  for (const id of [1, 2, 3]) await others.removePet(id);
  await act(shop, removeCategory(shop, shop.categories.called('Newts') ?? assert.fail()));
  enter('Dot', 'Newts');
  await eventually(() => shop.added.peek().length === 4, 'Dot is added');
  assert.deepEqual([created(), categories()[0]], [2, 'Newts']);
});

test('each entry is sent at once with its own key, a litter as one, and what has to be fixed is said', async (t) => {
  const { shop, network, animal, said, form, enter, untilSaid, stored } = await openAdd(t);
  network.hold(/^POST/);
  form.count.value = '12';
  for (const name of ['Kitten', ' Ben  the second ']) {
    assert.equal(enter(name), true);
    assert.deepEqual([form.fields.peek(), form.count.peek()], [{ name: '', category: '7' }, '1']);
    assert.equal(form.isTouched, false);
  }
  await network.untilHeld(2);
  network.releaseAll();
  await untilSaid(2);
  assert.deepEqual(said().toSorted(), ['12 animals were added.', 'Ben the second was added.']);
  assert.equal(new Set(network.changes.map(({ idempotencyKey }) => idempotencyKey)).size, 2);
  const added = shop.added.peek().map((id) => animal(id).name);
  const kittens = added.filter((name) => name.startsWith('Kitten'));
  assert.deepEqual([kittens.length, kittens.at(0), kittens.at(-1)], [12, 'Kitten 12', 'Kitten 1']);
  for (const { offer } of shop.messages.all.peek()) await offer?.run();
  assert.deepEqual(await stored(), []);
  assert.equal(shop.added.peek().length, 13, 'the rows say that they were removed');
  const sent = network.changes.length;
  assert.equal(enter('Ava', ' '), false);
  assert.deepEqual(form.problems.peek(), { category: 'Choose a category.' });
  for (const count of ['0', '101', '1.5', '']) {
    form.count.value = count;
    assert.equal(enter(' ', '9999999999999999999'), false);
    const [name, category] = ['Enter a name.', 'This number is out of range.'];
    assert.deepEqual(form.problems.peek(), { name, category, count: 'From 1 to 100.' });
  }
  assert.equal(network.changes.length, sent, 'nothing is sent');
  for (const [length, problem] of Object.entries({ 1000: undefined, 1001: /at most 1,000 .* has 1001\./ }))
    assert.match(problemWithName('🐕'.repeat(Number(length))) ?? '', problem ?? /^$/);
});

test('the Undo of an entry keeps what something has happened to since', async (t) => {
  const { others, network, said, form, enter, untilSaid, press, stored } = await openAdd(t);
  form.count.value = '3';
  enter('Kitten');
  await untilSaid(1);
  await others.order(2, { status: 'completed' });
  network.hold(/^PATCH .*\/3\{/);
  const undone = press('Undo');
  await network.untilHeld(1);
  await others.setPet(3, { name: 'Tom' });
  network.releaseAll();
  await undone;
  assert.deepEqual(said(), ['Undone: 1 animal was removed again. Kitten 2 is sold. 1 more not.']);
  assert.deepEqual(await stored(), ['Kitten 2', 'Tom']);
  enter('Rex');
  await untilSaid(2);
  await others.order(4);
  await press('Undo');
  assert.equal(said().at(-1), 'Not undone: Rex is reserved.');
  enter('Tim');
  await untilSaid(3);
  await others.removePet(5);
  await press('Undo');
  assert.equal(said().at(-1), 'Undone: Tim was removed again.');
});

test('only the whole name of a category is meant, then its number: a part of a name is a new one', async (t) => {
  const { others, shop } = await openShop(t, []);
  for (const [index, name] of ['Hotdogs', 'Tank 17', '12'].entries())
    await others.nameCategory(index + 1, name);
  await shop.categories.load();
  const cases = { ' hotdogs': 'known 1', Dog: 'new Dog', '7': 'unnamed 7', '12': 'known 3', '': 'invalid' };
  const limits = { '-9223372036854775808': 'unnamed -9223372036854775808', '9223372036854775808': 'invalid' };
  for (const [text, meant] of Object.entries({ ...cases, ...limits })) {
    const [kind, value] = Object.values(wantedCategory(shop.categories, text));
    assert.equal([kind, value].join(' ').trim(), meant, text);
  }
});

test('a refused entry puts the name back, unless something was typed; one without an answer is not added twice', async (t) => {
  const { others, network, said, press, form, enter, untilSaid, stored } = await openAdd(t);
  form.count.value = '3';
  enter('Bad\0');
  await untilSaid(1);
  assert.match(said()[0] ?? '', /^3 animals not added: /);
  assert.deepEqual([form.fields.peek().name, form.count.peek()], ['Bad\0', '3']);
  form.clear();
  network.hold(/^POST/);
  enter('Bad\0');
  await network.untilHeld(1);
  form.edit({ name: 'Half ty' });
  network.releaseAll();
  await untilSaid(2);
  assert.deepEqual([form.fields.peek().name, await stored()], ['Half ty', []]);
  // Without an answer, it is tried again with its own keys, and nothing is added twice.
  network.fail(/^POST/, 'unanswered');
  enter('Ava', 'Newts');
  await untilSaid(3);
  assert.equal(form.isTouched, false);
  network.fail(/^POST .*batch/, 'unanswered');
  await press('Try again');
  network.heal();
  await press('Try again');
  assert.deepEqual([said().at(-1), await stored()], ['Ava was added.', ['Ava']]);
  assert.equal((await others.get('categories')).length, 1);
});

/** The form for the only animal, Rex in category 1, Dogs. */
async function openEdit(t: Owner) {
  const opened = await openShop(t, ['Rex'], { prepare: ({ nameCategory }) => nameCategory(1, 'Dogs') });
  const { shop, others, network, animal } = opened;
  network.hold(/^PATCH/);
  const form = new EditForm(shop, animal(1n));
  // It reads the version that the person has seen.
  await network.untilHeld(1);
  network.releaseAll();
  const assertStored = async (name: string, categoryId: number) =>
    assert.partialDeepStrictEqual(await others.get('pets'), [{ name, categoryId }]);
  return { ...opened, form, assertStored };
}

test('only what was touched is sent: what others do meanwhile is never overwritten', async (t) => {
  const { others, network, said, form, assertStored } = await openEdit(t);
  form.edit({ name: ' Rexi ' });
  assert.equal(form.isTouched, true);
  await others.setPet(1, { name: 'Max', categoryId: 2 });
  assert.equal(await form.save(), false);
  assert.match(said()[0] ?? '', /^Not saved: someone else has changed Rex meanwhile\./);
  await assertStored('Max', 2);
  assert.equal(await form.save(), true);
  const shown = { name: ' Rexi ', category: '2' };
  assert.deepEqual(form.fields.peek(), shown, 'what is untouched is what is stored');
  await assertStored('Rexi', 2);
  assert.deepEqual([...new Set(network.changes.map(({ body }) => body))], ['{"name":"Rexi"}']);
  assert.equal(said().at(-1), 'Max was renamed to Rexi.');
});

test('a category that is renamed meanwhile is not touched; what is typed while it is saved stays, for the next save', async (t) => {
  const { others, shop, network, said, form, assertStored } = await openEdit(t);
  await act(shop, renameCategory(shop, 1n, 'Hounds'));
  assert.equal(await form.save(), true);
  assert.equal(said().at(-1), 'Nothing to change in Rex.');
  form.edit({ name: 'Rexi', category: 'Hounds' });
  network.hold(/^PATCH/);
  const saved = form.save();
  await network.untilHeld(1);
  const typed = { name: 'Rexi the second', category: 'Wolves' };
  form.edit(typed);
  network.releaseAll();
  assert.equal(await saved, false);
  await assertStored('Rexi', 1);
  assert.deepEqual(form.fields.peek(), typed);
  assert.equal(await form.save(), true);
  await assertStored('Rexi the second', 2);
  assert.partialDeepStrictEqual(await others.get('categories'), [{ name: 'Hounds' }, { name: 'Wolves' }]);
});

test('without an answer, Try again sends the same change, which can be undone', async (t) => {
  const { network, said, press, form, assertStored } = await openEdit(t);
  form.edit({ name: 'Rexi' });
  network.fail(/^PATCH .*"name"/, 'unanswered');
  assert.equal(await form.save(), false);
  network.heal();
  await press('Try again');
  assert.deepEqual(said(), ['Rex was renamed to Rexi.']);
  const [first, ...again] = network.changes;
  assert.deepEqual(again, [first]);
  await assertStored('Rexi', 1);
  await press('Undo');
  await assertStored('Rex', 1);
});
