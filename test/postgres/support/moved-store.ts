import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { INT64_MAX, INT64_MIN } from '../../../src/contract/int64.ts';
import { digestOf, generateKey } from '../../../src/keys/format.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { orderIn, petIn } from '../../support/service/created.ts';
import { animalStore, type RunningService, spawnService } from '../../support/service/process.ts';
import { call, temporaryFolder } from '../../support/service/service.ts';
import { storeKey } from '../../support/service/stored-key.ts';

/** The largest id that an import accepts. */
const LARGEST_ID = 9223371036854775807n;
/** Categories that were removed. The first is the one that a new category would be given next. */
const FORMER = [2n, INT64_MAX - 1n];
const CATEGORIES = [1n, INT64_MIN, INT64_MAX];
const NAMES = ['Rex', '{"quoted", NULL, \\}', '🐈‍⬛ Söckchen', "'; DROP TABLE pets; --", 'line\nbreak\ttab'];

/** A request that creates an animal, with its Idempotency-Key. */
export const repeated = {
  body: { name: 'Repeated "once"', categoryId: 1 },
  headers: { 'idempotency-key': 'till-3-0042' },
};

export interface Filled {
  /** A key that may only read animals. */
  readonly reader: string;
  /** Its successor is valid; it is as well for another day. */
  readonly rotated: string;
  readonly successor: string;
  readonly expired: string;
  readonly revoked: string;
}

/** Puts everything that a store can contain into a new one, with ids at the limits. */
export async function fillStore(t: TestContext, url: string): Promise<Filled> {
  const file = join(await temporaryFolder(t), 'pets.ndjson');
  const pets = [1n, LARGEST_ID].map((id) => `{"id":${id},"name":"Imported","categoryId":${INT64_MAX}}\n`);
  await writeFile(file, pets.join(''));
  const { code, stderr } = await animalStore(['import', '--keep-ids', '--create', file], {
    DATABASE_URL: url,
  });
  assert.equal(code, 0, stderr);
  const store = await openStore(url);
  try {
    await fillShop(store);
    return await fillKeys(store);
  } finally {
    await store.close();
  }
}

async function fillShop(store: Store): Promise<void> {
  const by = { keyId: '1', keyName: 'Kasse "3"' };
  const ids: bigint[] = [];
  for (const [i, name] of NAMES.entries()) {
    const pet = { name, categoryId: i % 2 ? INT64_MAX : INT64_MIN, status: 'available' } as const;
    ids.push(petIn(await store.createPet(pet, { by })).id);
  }
  const [placed = 0n, completed = 0n, cancelled = 0n, returned = 0n, removed = 0n] = ids;
  for (const petId of [placed, completed, cancelled, returned]) {
    const order = orderIn(await store.createOrder({ petId, note: `Für Frau Lee, "${petId}"` }, { by }));
    const seller = { by: { keyId: '2', keyName: 'Ana, "\\"' } };
    if (petId !== placed && petId !== cancelled)
      await store.updateOrder(order.id, { status: 'completed' }, seller);
    if (petId === cancelled) await store.updateOrder(order.id, { status: 'cancelled', note: null });
    if (petId === returned) await store.updateOrder(order.id, { status: 'returned' });
  }
  await store.setCategory({ id: INT64_MIN, name: 'Straße' });
  await store.createCategory({ name: 'Cats' });
  for (const id of FORMER) await store.setCategory({ id, name: `Category ${id}` });
  for (const id of FORMER) await store.removeCategory(id);
  await store.removePet(removed, 'gestorben, "sehr" alt');
  await store.removePet(returned);
  const last = petIn(await store.createPet({ name: 'Highest id', categoryId: 1n, status: 'sold' }));
  await store.removePet(last.id, 'verschenkt');
  await store.restorePet(returned, { by });
}

async function fillKeys(store: Store): Promise<Filled> {
  const { key: reader } = await storeKey(store, ['pets:read'], { name: 'display' });
  const rotated = await storeKey(store, ['*'], { expiresAt: new Date('2031-01-01T00:00:00.123Z') });
  const expired = await storeKey(store, ['*'], { expiresAt: new Date('2020-01-01T00:00:00Z') });
  const revoked = await storeKey(store, ['store:write']);
  await store.revokeKey(revoked.id);
  await store.updateKey('1', { name: 'Schaufenster' });
  const successor = generateKey();
  await store.rotateKey(rotated.id, { digest: digestOf(successor), overlapMs: 86_400_000 });
  await store.recordKeyUse([{ id: '1', at: new Date('2026-11-15T10:00:00.123Z') }]);
  return { reader, rotated: rotated.key, successor, expired: expired.key, revoked: revoked.key };
}

const READS = [
  '/pets?limit=100',
  '/pets?limit=2',
  '/pets?removed=true',
  '/pets?removed=true&name=highest',
  '/pets?name=sockchen',
  '/pets/1',
  `/pets/${LARGEST_ID}`,
  '/categories',
  '/categories?name=strasse',
  '/store/orders',
  '/store/orders/1',
  '/store/orders?completedFrom=2020-01-01T00:00:00Z',
  '/store/orders?note=fur%20frau',
  '/store/inventory',
  '/events?limit=100',
  '/events?order=newest&limit=3',
  '/events?keyId=1',
  '/events?type=order.completed',
  '/keys',
  ...['available', 'pending', 'sold'].map((status) => `/pets?status=${status}`),
  ...['placed', 'completed', 'cancelled', 'returned'].map((status) => `/store/orders?status=${status}`),
  ...CATEGORIES.flatMap((id) => [`/pets?categoryId=${id}`, `/store/inventory?categoryId=${id}`]),
];

/** What the service answers to each kind of read, with the link to the next page. */
export async function answersOf({ origin }: RunningService): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const path of READS) {
    const { status, text, headers } = await call(origin, 'GET', `/v1${path}`);
    assert.equal(status, 200, `${path}: ${text}`);
    answers[path] = `${headers.get('link') ?? ''} ${text}`;
  }
  return answers;
}

/** Runs a service on the store for as long as `use` takes. */
export async function served<T>(
  t: TestContext,
  url: string,
  use: (service: RunningService) => Promise<T>,
): Promise<T> {
  const service = await spawnService(t, { DATABASE_URL: url });
  const result = await use(service);
  service.child.kill('SIGTERM');
  assert.equal(await service.exited, 0);
  return result;
}
