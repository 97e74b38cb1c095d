import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../support/eventually.ts';
import type { startService } from '../../support/service/service.ts';
import { openShopWith } from '../support/shop-calls.ts';

const namesIn = async (service: Awaited<ReturnType<typeof startService>>): Promise<string[]> =>
  ((await service.call('GET', '/v1/pets')).json as { name: string }[]).map(({ name }) => name);

test('names that are entered faster than the network are added in order, each once', async (t) => {
  const { service, shop, network } = await openShopWith(t, []);
  const { addForm } = shop;
  network.hold((line) => line.startsWith('POST'));
  for (const name of ['Burst A', 'Burst B', 'Burst C']) {
    addForm.edit({ name, category: '7' });
    assert.equal(addForm.submit(), true);
    assert.deepEqual(addForm.fields.peek(), { name: '', category: '7' });
  }
  await network.untilHeld(1);
  assert.deepEqual(
    addForm.additions.peek().map(({ state }) => state),
    ['waiting', 'waiting', 'adding'],
  );
  network.releaseAll();
  await eventually(() => addForm.additions.peek().every(({ state }) => state === 'added'), 'all are added');
  assert.deepEqual(await namesIn(service), ['Burst C', 'Burst B', 'Burst A']);
  assert.deepEqual(
    shop.animalList.items.peek()?.map(({ name }) => name),
    ['Burst C', 'Burst B', 'Burst A'],
  );
});

test('a litter has numbers, is added in one request, and can be undone', async (t) => {
  const { service, shop, network } = await openShopWith(t, []);
  const { addForm } = shop;
  addForm.edit({ name: 'Kitten', category: 'Ragdolls' });
  addForm.count.value = 12;
  assert.equal(addForm.submit(), true);
  await eventually(() => addForm.additions.peek()[0]?.state === 'added', 'the litter is added');
  assert.equal(network.requests.filter((line) => line === 'POST /v1/pets/batch').length, 1);
  assert.equal(network.requests.filter((line) => line === 'POST /v1/categories').length, 1);
  const [litter] = addForm.additions.peek();
  assert.ok(litter);
  assert.deepEqual([litter.animals.at(0)?.name, litter.animals.at(-1)?.name], ['Kitten 1', 'Kitten 12']);
  assert.equal(shop.categories.nameOf(litter.animals[0]?.categoryId ?? 0n), 'Ragdolls');
  await addForm.undo(litter);
  assert.deepEqual(await namesIn(service), []);
});

test('a refused entry is shown with its reason, and the next ones are added all the same', async (t) => {
  const { service, shop } = await openShopWith(t, []);
  const { addForm } = shop;
  for (const name of ['Good', 'Bad\0', 'Good too']) {
    addForm.edit({ name, category: '7' });
    addForm.submit();
  }
  const states = () => addForm.additions.peek().map(({ state }) => state);
  await eventually(
    () => states().every((state) => state === 'added' || state === 'failed'),
    'all have ended',
  );
  assert.deepEqual(states(), ['added', 'failed', 'added']);
  assert.deepEqual(await namesIn(service), ['Good too', 'Good']);
});

test('without the service nothing is lost: trying again adds everything in order, once', async (t) => {
  const { service, shop, network } = await openShopWith(t, []);
  const { addForm } = shop;
  network.fail((line) => (line.startsWith('POST') ? 'unanswered' : undefined));
  for (const name of ['First', 'Second']) {
    addForm.edit({ name, category: '7' });
    addForm.submit();
  }
  const states = () => addForm.additions.peek().map(({ state }) => state);
  await eventually(() => states().every((state) => state === 'failed'), 'both have failed');
  const [second, first] = addForm.additions.peek();
  assert.match(`${first?.problem}`, /nothing is added twice/);
  assert.deepEqual([first?.isUncertain, second?.isUncertain ?? false], [true, false], 'only what was sent');
  network.heal();
  addForm.retry(addForm.additions.peek()[0] ?? assert.fail());
  await eventually(() => states().every((state) => state === 'added'), 'both are added');
  assert.deepEqual(await namesIn(service), ['Second', 'First']);
});

test('what has to be fixed is said at once, and nothing is sent', async (t) => {
  const { shop, network } = await openShopWith(t, []);
  const { addForm } = shop;
  const asked = network.requests.length;
  assert.equal(addForm.submit(), false);
  assert.deepEqual(addForm.problems.peek(), { name: 'Enter a name.', category: 'Choose a category.' });
  addForm.edit({ name: 'Rex', category: '9999999999999999999' });
  addForm.count.value = 101;
  assert.equal(addForm.submit(), false);
  assert.deepEqual(addForm.problems.peek(), {
    category: 'This number is out of range.',
    count: 'From 1 to 100.',
  });
  assert.equal(network.requests.length, asked);
});

test('an entry that is changed goes back into the form, and what was in the form takes its place', async (t) => {
  const { shop } = await openShopWith(t, []);
  const { addForm } = shop;
  addForm.edit({ name: 'Bad\0', category: '7' });
  addForm.submit();
  await eventually(() => addForm.additions.peek()[0]?.state === 'failed', 'it is refused');
  addForm.edit({ name: 'Half ty', category: '8' });
  const [refused] = addForm.additions.peek();
  assert.ok(refused);
  addForm.change(refused);
  assert.deepEqual(addForm.fields.peek(), { name: 'Bad\0', category: '7' });
  assert.deepEqual(
    addForm.additions.peek().map(({ names, fields, state }) => [...names, fields.category, state]),
    [['Half ty', '8', 'failed']],
  );
});

test('an undo that is asked for twice happens once', async (t) => {
  const { service, shop } = await openShopWith(t, []);
  const { addForm } = shop;
  addForm.edit({ name: 'Rex', category: '7' });
  addForm.submit();
  await eventually(() => addForm.additions.peek()[0]?.state === 'added', 'it is added');
  const [added] = addForm.additions.peek();
  assert.ok(added);
  const undone = addForm.undo(added);
  await addForm.undo(added);
  assert.equal(addForm.additions.peek()[0]?.state, 'undoing');
  await undone;
  assert.equal(addForm.additions.peek()[0]?.state, 'undone');
  assert.deepEqual(await namesIn(service), []);
});
