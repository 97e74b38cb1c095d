import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Order } from '../../../src/client/index.ts';
import { move } from '../../../src/web/browser/console/data/actions/corrections.ts';
import { setNote } from '../../../src/web/browser/console/data/actions/notes.ts';
import { remove, restore } from '../../../src/web/browser/console/data/actions/removal.ts';
import { cancel, reserve, returnSale, sell } from '../../../src/web/browser/console/data/actions/selling.ts';
import { animalFrom } from '../../../src/web/browser/console/data/cache/animal.ts';
import type { Workspace } from '../../../src/web/browser/console/data/workspace.ts';
import { ANIMALS, ORDERS, type Route } from '../../../src/web/browser/console/route.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service/service.ts';
import { type Network, openShop, Stream } from '../support/shop.ts';

/*
 * Few animals and many changes, here and elsewhere, while answers come late and in any order and events are delayed. Afterwards every view
 * equals the service, without asking again: the stream has had no gap.
 */

const ANIMALS_AT_FIRST = 3;
const VIEWS: readonly Route[] = [
  ANIMALS,
  { ...ANIMALS, status: 'available' },
  { ...ANIMALS, category: 2n },
  { ...ANIMALS, text: 'an' },
  ORDERS,
];

interface Step {
  readonly kind: 'here' | 'elsewhere' | 'deliver' | 'release' | 'refresh' | 'hold' | 'open';
  readonly what: number;
  readonly on: number;
}

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>(
      'here',
      'here',
      'elsewhere',
      'elsewhere',
      'deliver',
      'release',
      'refresh',
      'hold',
      'open',
    ),
    what: fc.nat(9),
    on: fc.nat(5),
  }),
  { minLength: 5, maxLength: 40 },
);

/** Something that a person does in this console. It goes on while the next steps happen. */
function doHere(shop: Workspace, { what, on }: Step): Promise<unknown> | undefined {
  const id = BigInt(on + 1);
  const animal = shop.cache.animals.peek(id);
  if (!animal) return undefined;
  const orders = shop.cache.ordersOf(id);
  const open = orders.find(({ status }) => status === 'placed');
  const sold = orders.find(({ status }) => status === 'completed');
  const actions = [
    () => sell(shop, animal),
    () => reserve(shop, animal, 'for Ms Lee'),
    () => open && cancel(shop, open),
    () => sold && returnSale(shop, sold),
    () => open && setNote(shop, open, `note ${on}`),
    () => move(shop, animal, BigInt(1 + (on % 2))),
    () => remove(shop, animal, 'died'),
    () => restore(shop, animal),
    () => shop.editOf(animal).edit({ name: `Ann ${on}` }) ?? shop.editOf(animal).save(),
    () => shop.addForm.edit({ name: `Dan ${on}`, category: '2' }) ?? shop.addForm.submit(),
  ];
  const done = actions[what]?.();
  return done instanceof Promise ? done : undefined;
}

/** Something that happens elsewhere. Much of it is refused, as in a shop. */
async function doElsewhere(service: Service, { what, on }: Step): Promise<void> {
  const id = on + 1;
  const latest = async () =>
    ((await service.call('GET', `/v1/store/orders?petId=${id}&limit=1`)).json as { id: number }[])[0]?.id ??
    0;
  const close = async (status: string) =>
    service.call('PATCH', `/v1/store/orders/${await latest()}`, { body: { status } });
  const actions = [
    () => service.call('POST', '/v1/store/orders', { body: { petId: id, note: 'elsewhere' } }),
    () => close('completed'),
    () => close('cancelled'),
    () => close('returned'),
    () => service.call('PATCH', `/v1/pets/${id}`, { body: { name: `Jan ${what}` } }),
    () => service.call('PATCH', `/v1/pets/${id}`, { body: { categoryId: 1 + (on % 2) } }),
    () => service.call('DELETE', `/v1/pets/${id}`),
    () => service.call('POST', `/v1/pets/${id}/restore`),
    () => service.call('POST', '/v1/pets', { body: { name: `Stan ${on}`, categoryId: 2 } }),
    async () =>
      service.call('PATCH', `/v1/store/orders/${await latest()}`, { body: { note: `changed ${on}` } }),
  ];
  await actions[what]?.();
}

/** What each view shows, and what the service has. */
async function assertEqualViews(shop: Workspace, view: Route): Promise<void> {
  const { client } = shop.api;
  const present = (await client.listPets({ limit: 100 })).items.map(animalFrom);
  const removed = (await client.listPets({ limit: 100, removed: true })).items.map(animalFrom);
  const orders = (await client.listOrders({ limit: 100 })).items;
  const byId = new Map([...present, ...removed].map((animal) => [animal.id, animal]));
  for (const [id, animal] of byId) {
    const known = shop.cache.animals.peek(id);
    // When it was removed is known to the millisecond only from the service.
    const comparable = known && { ...known, removed: known.removed && { reason: known.removed.reason } };
    const expected = { ...animal, removed: animal.removed && { reason: animal.removed.reason } };
    if (known) assert.deepEqual(comparable, expected, `animal ${id}`);
    const waiting = orders.find(({ petId, status }) => petId === id && status === 'placed');
    assert.deepEqual(shop.cache.reservationOf(id), waiting, `the reservation of ${id}`);
  }
  for (const order of orders) {
    const known = shop.cache.orders.peek(order.id);
    if (known) assert.deepEqual(known, order, `order ${order.id}`);
  }
  if (view.view === 'orders') assertNothingMissing(shop.reservedList, orders.filter(isPlaced), 'reserved');
  else {
    const query = { status: view.view === 'animals' ? view.status : undefined } as const;
    const shown = present.filter((animal) => shop.animals.matches(animal, { ...query, ...filterOf(view) }));
    assertNothingMissing(shop.animalList, shown, 'animals');
  }
}

const isPlaced = ({ status }: Order): boolean => status === 'placed';
const filterOf = (view: Route) =>
  view.view === 'animals' ? { category: view.category, text: view.text || undefined } : {};

/** Everything that belongs to a list is in it, or is counted as new. */
function assertNothingMissing(
  list: { ids: { peek(): readonly bigint[] | undefined }; unseen: { peek(): number } },
  expected: readonly { id: bigint }[],
  what: string,
): void {
  const ids = new Set(list.ids.peek());
  const missing = expected.filter(({ id }) => !ids.has(id));
  assert.equal(list.unseen.peek(), missing.length, `${what} that are new`);
}

/** Nothing is under way any more. */
async function quiet(
  network: Network,
  underWay: readonly Promise<unknown>[],
  shop: Workspace,
): Promise<void> {
  network.releaseAll();
  await Promise.all(underWay);
  await eventually(
    () => shop.addForm.additions.peek().every(({ state }) => state !== 'waiting' && state !== 'adding'),
    'everything is added',
  );
}

async function play(t: Parameters<typeof openShop>[0], played: readonly Step[], view: Route): Promise<void> {
  const service = await startService(t);
  for (let index = 0; index < ANIMALS_AT_FIRST; index++)
    await service.call('POST', '/v1/pets', { body: { name: `Joan ${index}`, categoryId: 1 + (index % 2) } });
  const { shop, network } = await openShop(t, service);
  const stream = await Stream.open(shop);
  await shop.open(view);
  const underWay: Promise<unknown>[] = [];
  const holdsSome = (line: string) =>
    line.startsWith('GET') && !line.includes('/events') && line.length % 3 !== 0;
  for (const step of played) {
    if (step.kind === 'here') underWay.push(doHere(shop, step) ?? Promise.resolve());
    if (step.kind === 'elsewhere') await doElsewhere(service, step);
    if (step.kind === 'deliver') await stream.deliver(1 + (step.what % 3));
    if (step.kind === 'release') network.release(step.on % Math.max(1, network.held.length));
    if (step.kind === 'refresh') underWay.push(shop.refresh());
    if (step.kind === 'open') underWay.push(shop.open(view));
    if (step.kind === 'hold') network.hold(holdsSome);
    // The next step begins while this one goes on.
    await new Promise((done) => setTimeout(done, step.what % 3));
  }
  await quiet(network, underWay, shop);
  await stream.deliverAll();
  // Applying events may ask for something, which events may follow.
  const settled = async () => {
    const asked = network.requests.length;
    await new Promise((done) => setTimeout(done, 20));
    await stream.deliverAll();
    // The one request is that of the stream.
    return network.requests.length - asked <= 1;
  };
  await eventually(settled, 'nothing is asked any more');
  await assertEqualViews(shop, view);
}

for (const view of VIEWS)
  test(`after quiet, the view equals the service: ${JSON.stringify(view, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`, async (t) => {
    await fc.assert(
      fc.asyncProperty(steps, async (played) => {
        const cleanups: (() => unknown)[] = [];
        const owner = { after: (cleanup: () => unknown) => void cleanups.push(cleanup) };
        try {
          await play(owner as typeof t, played, view);
        } finally {
          for (const cleanup of cleanups.reverse()) await cleanup();
        }
      }),
      { numRuns: Number(process.env.RUNS ?? 15) },
    );
  });
