import assert from 'node:assert/strict';
import { test } from 'node:test';
import { act } from '../../../src/web/browser/console/data/act.ts';
import { removeCategory, renameCategory } from '../../../src/web/browser/console/data/actions.ts';
import { AddForm, EditForm, wantedCategory } from '../../../src/web/browser/console/data/forms.ts';
import type { Shop } from '../../../src/web/browser/console/data/shop.ts';
import { eventually } from '../../support/eventually.ts';
import type { Service } from '../../support/service/service.ts';
import {
  add,
  animal,
  nameCategory,
  offered,
  openShopWith,
  order,
  said,
  setPet,
} from '../support/shop-calls.ts';

const namesIn = async (service: Service): Promise<string[]> =>
  ((await service.call('GET', '/v1/pets')).json as { name: string }[]).map(({ name }) => name);
const enter = (form: AddForm, name: string, category = '7'): boolean => {
  form.edit({ name, category });
  return form.submit();
};
/** Waits until everything that was entered is added or refused. */
const untilSaid = (shop: Shop, count: number) =>
  eventually(
    () => said(shop).length === count && !said(shop).some((text) => text.includes('…')),
    'it is said',
  );

test('each entry is sent at once with its own key, and the name is free for the next one', async (t) => {
  const { service, shop, network } = await openShopWith(t, []);
  const form = new AddForm(shop);
  network.hold((line) => line.startsWith('POST'));
  for (const name of ['Ava', ' Ben  the second ']) {
    assert.equal(enter(form, name), true);
    assert.deepEqual(form.fields.peek(), { name: '', category: '7' });
    assert.equal(form.isTouched, false);
  }
  await network.untilHeld(2);
  network.releaseAll();
  await untilSaid(shop, 2);
  assert.deepEqual((await namesIn(service)).toSorted(), ['Ava', 'Ben the second']);
  assert.equal(new Set(network.changes.map(({ idempotencyKey }) => idempotencyKey)).size, 2);
  assert.equal(shop.added.peek().length, 2);
  await offered(shop, 'Undo').run();
  assert.equal((await namesIn(service)).length, 1);
  assert.equal(shop.added.peek().length, 2, 'the row says that it was removed');
});

test('two fast entries with one new category create it once, and it is known from then on', async (t) => {
  const { service, shop, network } = await openShopWith(t, []);
  const form = new AddForm(shop);
  const created = () => network.changes.filter(({ line }) => line === 'POST /v1/categories').length;
  for (const name of ['Ava', 'Ben']) enter(form, name, 'Newts');
  await untilSaid(shop, 2);
  enter(form, 'Cleo', 'newts');
  await untilSaid(shop, 3);
  assert.equal(created(), 1);
  const [newts] = shop.categories.all.peek();
  assert.equal(newts?.name, 'Newts');
  assert.deepEqual(
    shop.added.peek().map((id) => animal(shop, id).categoryId),
    [newts?.id, newts?.id, newts?.id],
  );
  // A category that is gone is created again.
  for (const id of [1, 2, 3]) await service.call('DELETE', `/v1/pets/${id}`);
  await act(shop, removeCategory(shop, newts ?? assert.fail()));
  enter(form, 'Dot', 'Newts');
  await eventually(() => shop.added.peek().length === 4, 'Dot is added');
  assert.equal(created(), 2);
  assert.equal(shop.categories.nameOf(animal(shop, shop.added.peek()[0] ?? 0n).categoryId), 'Newts');
});

test('a litter is one request, and can be removed again; what has to be fixed is said at once', async (t) => {
  const { service, shop, network } = await openShopWith(t, []);
  const form = new AddForm(shop);
  form.count.value = '12';
  enter(form, 'Kitten');
  assert.equal(form.count.peek(), '1');
  await untilSaid(shop, 1);
  assert.deepEqual([said(shop), network.changes.length], [['12 animals were added.'], 1]);
  const kittens = shop.added.peek().map((id) => animal(shop, id));
  assert.deepEqual([kittens.at(0)?.name, kittens.at(-1)?.name], ['Kitten 12', 'Kitten 1']);
  await offered(shop, 'Undo').run();
  assert.deepEqual(await namesIn(service), []);
  const sent = network.changes.length;
  assert.equal(enter(form, 'Ava', ' '), false);
  assert.deepEqual(form.problems.peek(), { category: 'Choose a category.' });
  for (const count of ['0', '101', '1.5', '']) {
    form.count.value = count;
    assert.equal(enter(form, ' ', '9999999999999999999'), false);
    const [name, category] = ['Enter a name.', 'This number is out of range.'];
    assert.deepEqual(form.problems.peek(), { name, category, count: 'From 1 to 100.' });
  }
  assert.equal(network.changes.length, sent, 'nothing is sent');
});

test('only the whole name of a category is meant, then its number: a part of a name is a new one', async (t) => {
  const { shop } = await openShopWith(t, [], async (one) => {
    await nameCategory(one, 1, 'Hotdogs');
    await nameCategory(one, 2, 'Tank 17');
    await nameCategory(one, 3, '12');
  });
  const wanted = (text: string) => {
    const { kind, ...more } = wantedCategory(shop.categories, text);
    return 'id' in more ? `${kind} ${more.id}` : 'name' in more ? `${kind} ${more.name}` : kind;
  };
  const cases = { ' hotdogs': 'known 1', Dog: 'new Dog', '7': 'unnamed 7', '12': 'known 3', '': 'invalid' };
  for (const [text, meant] of Object.entries(cases)) assert.equal(wanted(text), meant, text);
  assert.equal(wanted('-9223372036854775808'), 'unnamed -9223372036854775808');
  assert.equal(wanted('9223372036854775808'), 'invalid');
});

test('a refused entry puts the name back, unless something was typed meanwhile', async (t) => {
  const { service, shop, network } = await openShopWith(t, []);
  const form = new AddForm(shop);
  form.count.value = '3';
  enter(form, 'Bad\0');
  await untilSaid(shop, 1);
  assert.match(said(shop)[0] ?? '', /^3 animals not added: /);
  assert.deepEqual([form.fields.peek().name, form.count.peek()], ['Bad\0', '3']);
  form.clear();
  network.hold((line) => line.startsWith('POST'));
  enter(form, 'Bad\0');
  await network.untilHeld(1);
  form.edit({ name: 'Half ty' });
  network.releaseAll();
  await untilSaid(shop, 2);
  assert.equal(form.fields.peek().name, 'Half ty');
  assert.deepEqual(await namesIn(service), []);
});

test('an entry without an answer is tried again with its own keys: nothing is added twice', async (t) => {
  const { service, shop, network } = await openShopWith(t, []);
  const form = new AddForm(shop);
  network.fail((line) => (line.startsWith('POST') ? 'unanswered' : undefined));
  enter(form, 'Ava', 'Newts');
  await untilSaid(shop, 1);
  assert.equal(form.isTouched, false);
  network.fail((line) => (line === 'POST /v1/pets/batch' ? 'unanswered' : undefined));
  await offered(shop, 'Try again').run();
  network.heal();
  await offered(shop, 'Try again').run();
  assert.deepEqual([said(shop), await namesIn(service)], [['Ava was added.'], ['Ava']]);
  assert.equal(((await service.call('GET', '/v1/categories')).json as unknown[]).length, 1);
});

/** The form for the only animal, Rex in category 1. */
async function openEdit(t: Parameters<typeof openShopWith>[0]) {
  const opened = await openShopWith(t, ['Rex'], (one) => nameCategory(one, 1, 'Dogs'));
  opened.network.hold((line) => line.startsWith('PATCH'));
  const form = new EditForm(opened.shop, animal(opened.shop, 1n));
  // It reads the version that the person has seen.
  await opened.network.untilHeld(1);
  opened.network.releaseAll();
  return { ...opened, form, stored: async () => (await opened.service.call('GET', '/v1/pets')).json };
}

test('only what was touched is sent: what others do meanwhile is never overwritten', async (t) => {
  const { service, form, shop, stored, network } = await openEdit(t);
  form.edit({ name: ' Rexi ' });
  assert.equal(form.isTouched, true);
  await setPet(service, 1, { name: 'Max', categoryId: 2 });
  assert.equal(await form.save(), false);
  assert.match(said(shop)[0] ?? '', /^Not saved: someone else has changed Rex meanwhile\./);
  assert.deepEqual(await stored(), [{ id: 1, name: 'Max', categoryId: 2, status: 'available' }]);
  assert.equal(await form.save(), true);
  assert.deepEqual(
    form.fields.peek(),
    { name: ' Rexi ', category: '2' },
    'what is untouched is what is stored',
  );
  assert.deepEqual(await stored(), [{ id: 1, name: 'Rexi', categoryId: 2, status: 'available' }]);
  assert.deepEqual(
    network.changes.map(({ body }) => body),
    ['{"name":"Rexi"}', '{"name":"Rexi"}'],
  );
  assert.equal(said(shop).at(-1), 'Max was renamed to Rexi.');
});

test('a category that is renamed while the form is open is neither touched nor created again', async (t) => {
  const { service, form, shop, stored } = await openEdit(t);
  await act(shop, renameCategory(shop, 1n, 'Hounds'));
  assert.equal(await form.save(), true);
  form.edit({ name: 'Rexi', category: 'Hounds' });
  assert.equal(await form.save(), true);
  assert.deepEqual(await stored(), [{ id: 1, name: 'Rexi', categoryId: 1, status: 'available' }]);
  assert.equal(((await service.call('GET', '/v1/categories')).json as unknown[]).length, 1);
});

test('what is typed while it is saved stays, is not saved yet, and the next save works', async (t) => {
  const { form, network, stored } = await openEdit(t);
  form.edit({ name: 'Rexi', category: 'Wolves' });
  network.hold((line) => line.startsWith('PATCH'));
  const saved = form.save();
  await network.untilHeld(1);
  form.edit({ name: 'Rexi the second' });
  network.releaseAll();
  assert.equal(await saved, false);
  assert.equal(form.fields.peek().name, 'Rexi the second');
  assert.equal(await form.save(), true);
  assert.deepEqual(await stored(), [{ id: 1, name: 'Rexi the second', categoryId: 2, status: 'available' }]);
});

test('without an answer, Try again sends the same change, and it can be undone', async (t) => {
  const { service, form, shop, network, stored } = await openEdit(t);
  form.edit({ name: 'Rexi' });
  network.fail((line) => (network.changes.length > 0 && line.startsWith('PATCH') ? 'unanswered' : undefined));
  assert.equal(await form.save(), false);
  network.heal();
  await order(service, 1);
  await add(service, 'Max');
  await offered(shop, 'Try again').run();
  assert.deepEqual(said(shop), ['Rex was renamed to Rexi.']);
  const [first, again] = network.changes;
  assert.deepEqual(again, first);
  assert.partialDeepStrictEqual(await stored(), [{ name: 'Max' }, { name: 'Rexi' }]);
});
