import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { act } from '../../../src/web/browser/console/data/act.ts';
import * as actions from '../../../src/web/browser/console/data/actions.ts';
import { animalFrom } from '../../../src/web/browser/console/data/cache.ts';
import { AddForm, EditForm } from '../../../src/web/browser/console/data/forms.ts';
import type { Screen, Shop } from '../../../src/web/browser/console/data/shop.ts';
import { eventually } from '../../support/eventually.ts';
import type { Owner } from '../../support/service/owner.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { openShop, Stream } from '../support/shop.ts';
import { ALL, add, animalsWhere, close, order, setPet, today } from '../support/shop-calls.ts';

/*
 * Few animals and many changes, here and elsewhere, while answers come late and in any order and events are delayed. Afterwards every view
 * equals the service, without a person asking again: the stream has had no gap.
 */

const ANIMALS_AT_FIRST = 3;
/** Everything that was told leads to a refresh after 300 ms, or, if refreshes take long, a little later. */
const SETTLED_MS = 10_000;
const SCREENS: Readonly<Record<string, Screen>> = {
  all: ALL,
  available: animalsWhere({ status: 'available' }),
  'a category': animalsWhere({ category: 2n }),
  'a search': animalsWhere({ text: 'an' }),
  removed: animalsWhere({ removed: true }),
  orders: today(),
};

const kinds = ['here', 'elsewhere', 'deliver', 'release', 'refresh', 'hold', 'open'] as const;
const kind = fc.constantFrom('here', 'elsewhere', ...kinds);
const steps = fc.array(fc.record({ kind, what: fc.nat(9), on: fc.nat(5) }), { minLength: 5, maxLength: 40 });
type Step = Readonly<{ kind: (typeof kinds)[number]; what: number; on: number }>;

/** Something that a person does in this console. It goes on while the next steps happen. */
async function doHere(shop: Shop, { what, on }: Step): Promise<void> {
  const id = BigInt(on + 1);
  const animal = shop.cache.animals.peek(id);
  if (!animal) return;
  const orders = shop.cache.ordersOf(id);
  const placed = orders.find(({ status }) => status === 'placed');
  const completed = orders.find(({ status }) => status === 'completed');
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
async function doElsewhere(service: Service, { what, on }: Step): Promise<void> {
  const id = on + 1;
  const path = `/v1/store/orders?petId=${id}&limit=1`;
  const latest = async () => ((await service.call('GET', path)).json as { id: number }[])[0]?.id ?? 0;
  const closeAs = async (status: string) => close(service, await latest(), status);
  await [
    () => order(service, id, 'elsewhere'),
    () => closeAs('completed'),
    () => closeAs('cancelled'),
    () => closeAs('returned'),
    () => setPet(service, id, { name: `Jan ${what}` }),
    () => setPet(service, id, { categoryId: 1 + (on % 2) }),
    () => service.call('DELETE', `/v1/pets/${id}`),
    () => service.call('POST', `/v1/pets/${id}/restore`),
    () => add(service, `Stan ${on}`, 2),
    () => closeAs('placed'),
  ][what]?.();
}

/** What is known, and what the screen shows, is what the service has. */
async function assertEqualToService(shop: Shop, screen: Screen): Promise<void> {
  const { client } = shop.api;
  const limit = 100;
  const list = async (query: object) => (await client.listPets({ limit, ...query })).items.map(animalFrom);
  const orders = (await client.listOrders({ limit })).items;
  for (const animal of [...(await list({})), ...(await list({ removed: true }))]) {
    const known = shop.cache.animals.peek(animal.id);
    if (!known) continue;
    assert.deepEqual(known, animal, `animal ${animal.id}`);
    const waiting = orders.find(({ petId, status }) => petId === animal.id && status === 'placed');
    if (waiting) assert.deepEqual(shop.cache.orderOf(known), waiting);
  }
  for (const one of orders) {
    const known = shop.cache.orders.peek(one.id);
    if (known) assert.deepEqual(known, one, `order ${one.id}`);
  }
  if (screen.of === 'orders') {
    assertNothingMissing(
      shop.reservedList,
      orders.filter(({ status }) => status === 'placed'),
    );
    assertNothingMissing(
      shop.soldList,
      orders.filter(({ completedAt }) => completedAt !== undefined),
    );
  } else if (screen.of === 'animals') {
    const { status, category: categoryId, text: name, removed } = screen.query;
    assertNothingMissing(shop.animalList, await list(removed ? { removed } : { status, categoryId, name }));
  }
}

/** Everything that belongs to a list is in it, or is counted as new. */
function assertNothingMissing(
  { ids, unseen }: Shop['animalList'] | Shop['soldList'],
  expected: readonly { id: bigint }[],
): void {
  const shown = new Set(ids.peek());
  const missing = expected.filter(({ id }) => !shown.has(id));
  assert.equal(unseen.peek(), missing.length, 'what is new');
}

async function play(owner: Owner, played: readonly Step[], screen: Screen): Promise<void> {
  const service = await startService(owner);
  for (let index = 0; index < ANIMALS_AT_FIRST; index++) await add(service, `Joan ${index}`, 1 + (index % 2));
  const { shop, network } = await openShop(owner, service);
  const stream = await Stream.open(shop);
  await shop.open(screen);
  const underWay: Promise<unknown>[] = [];
  const holdsSome = (line: string) =>
    line.startsWith('GET') && !line.includes('/events') && line.length % 3 !== 0;
  for (const step of played) {
    if (step.kind === 'here') underWay.push(doHere(shop, step));
    if (step.kind === 'elsewhere') await doElsewhere(service, step);
    if (step.kind === 'deliver') await stream.deliver(1 + (step.what % 3));
    if (step.kind === 'release') network.release(step.on % Math.max(1, network.held.length));
    if (step.kind === 'refresh') underWay.push(shop.refresh());
    if (step.kind === 'open') underWay.push(shop.open(screen));
    if (step.kind === 'hold') network.hold(holdsSome);
    // The next step begins while this one goes on.
    for (let turn = 0; turn < step.what; turn++) await new Promise((done) => setImmediate(done));
  }
  network.releaseAll();
  await Promise.all(underWay);
  await stream.deliverAll();
  let difference: unknown;
  const isEqual = () =>
    assertEqualToService(shop, screen).then(
      () => true,
      (error) => {
        difference = error;
        return false;
      },
    );
  await eventually(isEqual, 'the view equals the service', SETTLED_MS).catch(() => {
    throw difference;
  });
}

for (const [name, screen] of Object.entries(SCREENS))
  test(`after quiet, the view equals the service: ${name}`, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (played) => {
        const cleanups: (() => unknown)[] = [];
        try {
          await play({ after: (cleanup) => void cleanups.push(cleanup) }, played, screen);
        } finally {
          for (const cleanup of cleanups.reverse()) await cleanup();
        }
      }),
      { numRuns: Number(process.env.RUNS ?? 15) },
    );
  });
