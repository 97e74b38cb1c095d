import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { act } from '../../../src/web/browser/console/data/act.ts';
import * as actions from '../../../src/web/browser/console/data/actions.ts';
import { animalFrom } from '../../../src/web/browser/console/data/cache.ts';
import { AddForm, EditForm } from '../../../src/web/browser/console/data/forms.ts';
import type { Screen, Shop } from '../../../src/web/browser/console/data/shop.ts';
import { eventually } from '../../support/eventually.ts';
import type { Owner } from '../../support/service/owner.ts';
import { ALL, animalsWhere, follow, type Others, openShop, today } from '../support/shop.ts';

/*
 * Few animals and many changes, here and elsewhere, while answers come late and in any order and events are delayed. Afterwards every view
 * equals the service, without a person asking again: the stream has had no gap.
 */

/** Everything that was told leads to a refresh after 300 ms, or, if refreshes take long, a little later. */
const SETTLED_MS = 10_000;
const NAMES = ['Joan 0', 'Joan 1', 'Joan 2'];
const SCREENS: Readonly<Record<string, Screen>> = {
  all: ALL,
  available: animalsWhere({ status: 'available' }),
  'a category': animalsWhere({ category: 2n }),
  'a search': animalsWhere({ text: 'an' }),
  removed: animalsWhere({ removed: true }),
  orders: today(),
};
/** About two in three of the answers about animals and orders. */
const SOME = /^GET (?!.*\/events)(?!(?:...)*$)/;

const kinds = ['here', 'elsewhere', 'deliver', 'release', 'refresh', 'hold', 'open'] as const;
const kind = fc.constantFrom('here', 'elsewhere', ...kinds);
const steps = fc.array(fc.record({ kind, what: fc.nat(9), on: fc.nat(5) }), { minLength: 5, maxLength: 40 });
type Step = Readonly<{ kind: (typeof kinds)[number]; what: number; on: number }>;

/** Something that a person does in this console. It goes on while the next steps happen. */
async function doHere(shop: Shop, { what, on }: Step): Promise<void> {
  const animal = shop.cache.animals.peek(BigInt(on + 1));
  if (!animal) return;
  const orderThatIs = (status: string) => shop.cache.ordersOf(animal.id).find((one) => one.status === status);
  const [placed, completed] = [orderThatIs('placed'), orderThatIs('completed')];
  const { sell, reserve, cancel, takeBack, setNote, move, remove, restore } = actions;
  const action = [
    () => sell(shop, animal),
    () => reserve(shop, animal),
    () => placed && cancel(shop, placed),
    () => completed && takeBack(shop, completed),
    () => placed && setNote(shop, placed, `note ${on}`),
    () => move(BigInt(1 + (on % 2)))(shop, animal),
    () => remove('died')(shop, animal),
    () => restore(shop, animal),
  ][what]?.();
  if (action) await act(shop, action);
  if (what === 8) {
    const form = new EditForm(shop, animal);
    form.edit({ name: `Ann ${on}` });
    await form.save();
  }
  if (what !== 9) return;
  const form = new AddForm(shop);
  form.edit({ name: `Dan ${on}`, category: '2' });
  form.submit();
  await eventually(() => shop.running.at('add-1') === undefined, 'it is added');
}

/** Something that happens elsewhere. Much of it is refused, as in a shop. */
async function doElsewhere(others: Others, { what, on }: Step): Promise<void> {
  const id = on + 1;
  const [latest] = await others.get(`store/orders?petId=${id}&limit=1`);
  const closeAs = (status: string) => others.close(latest?.id ?? 0, status);
  await [
    () => others.order(id),
    () => closeAs('completed'),
    () => closeAs('cancelled'),
    () => closeAs('returned'),
    () => others.setPet(id, { name: `Jan ${what}` }),
    () => others.setPet(id, { categoryId: 1 + (on % 2) }),
    () => others.removePet(id),
    () => others.send('POST', `pets/${id}/restore`),
    () => others.addTo(2, [`Stan ${on}`]),
    () => closeAs('placed'),
  ][what]?.();
}

const LISTS = ['animalList', 'reservedList', 'soldList'] as const;

/** Waits until what is known, and what the screen shows, is what the service has. */
async function untilEqual(shop: Shop, fresh: Shop): Promise<void> {
  const { cache, api } = shop;
  const limit = 100;
  const all = [await api.client.listPets({ limit }), await api.client.listPets({ limit, removed: true })];
  const animals = all.flatMap(({ items }) => items).map(animalFrom);
  const orders = (await api.client.listOrders({ limit })).items;
  const placed = orders.filter(({ status }) => status === 'placed');
  /** Everything that belongs to a list is in it, or is counted as new. */
  const uncounted = (list: (typeof LISTS)[number]) => {
    const missing = fresh[list].ids.peek()?.filter((id) => !shop[list].ids.peek()?.includes(id)) ?? [];
    return missing.length - shop[list].unseen.peek();
  };
  const seen = () => ({
    animals: animals.map((one) => cache.animals.peek(one.id) ?? one),
    orders: orders.map((one) => cache.orders.peek(one.id) ?? one),
    waiting: placed.map((one) => {
      const animal = cache.animals.peek(one.petId);
      return animal ? cache.orderOf(animal) : one;
    }),
    uncounted: LISTS.map(uncounted),
  });
  const expected = { animals, orders, waiting: placed, uncounted: [0, 0, 0] };
  const isEqual = () => isDeepStrictEqual(seen(), expected);
  await eventually(isEqual, 'equal', SETTLED_MS).catch(() => assert.deepEqual(seen(), expected));
}

async function play(owner: Owner, played: readonly Step[], screen: Screen): Promise<void> {
  const { service, others, shop, network } = await openShop(owner, NAMES, { screen: { of: 'nothing' } });
  await others.setPet(2, { categoryId: 2 });
  const deliver = await follow(shop);
  await shop.open(screen);
  const underWay: Promise<unknown>[] = [];
  for (const step of played) {
    if (step.kind === 'here') underWay.push(doHere(shop, step));
    if (step.kind === 'elsewhere') await doElsewhere(others, step);
    if (step.kind === 'deliver') await deliver(1 + (step.what % 3));
    if (step.kind === 'release') network.release(step.on);
    if (step.kind === 'refresh') underWay.push(shop.refresh());
    if (step.kind === 'open') underWay.push(shop.open(screen));
    if (step.kind === 'hold') network.hold(SOME);
    // The next step begins while this one goes on.
    for (let turn = 0; turn < step.what; turn++) await new Promise((done) => setImmediate(done));
  }
  network.releaseAll();
  await Promise.all(underWay);
  while ((await deliver()) > 0);
  await untilEqual(shop, (await openShop(owner, [], { service, screen })).shop);
}

for (const [name, screen] of Object.entries(SCREENS))
  test(`after quiet, the view equals the service: ${name}`, async () => {
    const property = fc.asyncProperty(steps, async (played) => {
      const cleanups: (() => unknown)[] = [];
      const owner: Owner = { after: (cleanup) => void cleanups.unshift(cleanup) };
      await play(owner, played, screen).finally(async () => {
        for (const cleanup of cleanups) await cleanup();
      });
    });
    await fc.assert(property, { numRuns: Number(process.env.RUNS ?? 15) });
  });
