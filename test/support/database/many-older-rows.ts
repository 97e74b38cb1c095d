import assert from 'node:assert/strict';
import { nameKey } from '../../../src/contract/name-key.ts';
import { NO_ANIMALS } from '../../../src/contract/order.ts';
import { openStore } from '../../../src/store/open.ts';
import { walkOrders, walkPets } from '../lists.ts';
import { animalStore } from '../service/process.ts';
import type { OlderRow } from './older-content.ts';

/** The schema of 1.0.0, which 4cb8893 has created, in both databases. */
export const FIRST_RELEASE = 9;

const CATEGORIES = 7;
const STARTED_AT = Date.UTC(2026, 9, 1);
/** What becomes of every fifth animal: the status of its order, and its own. */
const OUTCOMES = [
  ['placed', 'pending'],
  ['completed', 'sold'],
  ['returned', 'available'],
  ['cancelled', 'available'],
] as const;

const outcomeOf = (i: number) => (i % 5 === 0 ? OUTCOMES[(i / 5) % OUTCOMES.length] : undefined);
const isCompleted = (i: number) => /completed|returned/.test(outcomeOf(i)?.[0] ?? '');
const hasAccent = (i: number) => i % 2 === 0;
const hasNote = (i: number) => i % 3 === 0;
const changedAt = (i: number) => STARTED_AT + i * 60_000;
/** The events of the first half were deleted. */
const completedAt = (i: number, count: number) => changedAt(i) - (i > count / 2 ? 500 : 0);

/** `count` animals with their orders and events, as rows of the first release. */
export function* manyOlderRows(count: number): Generator<OlderRow> {
  let event = 1000n;
  for (let i = 1; i <= count; i++) {
    const id = BigInt(i);
    const name = `${hasAccent(i) ? 'Björn' : 'Siamese'} ${i}`;
    const [order, status] = outcomeOf(i) ?? [undefined, 'available'];
    yield ['pets', { id, name, category_id: BigInt(i % CATEGORIES), status, name_key: nameKey(name) }];
    if (!order) continue;
    const note = hasNote(i) ? `Für Frau Lee ${i}` : null;
    const times = { created_at: new Date(STARTED_AT), updated_at: new Date(changedAt(i)) };
    yield ['orders', { id, pet_id: id, status: order, note, ...times }];
    if (!isCompleted(i) || i <= count / 2) continue;
    const content = `{"order":{"id":${i},"petId":${i}},"pet":{"id":${i}}}`;
    const at = new Date(completedAt(i, count));
    yield ['events', { id: event++, type: 'order.completed', pet_id: id, at, content }];
  }
}

/** Asserts that a store that had these rows finds and counts them as this version does, and that `doctor` finds nothing wrong. */
export async function assertManyUpgraded(url: string, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, i) => count - i);
  const doctor = await animalStore(['doctor'], { DATABASE_URL: url, API_KEYS: 'k'.repeat(32) });
  assert.equal(doctor.code, 0, doctor.stdout);
  const store = await openStore(url);
  try {
    const found = await walkPets(store, { limit: 1000, name: 'bjorn' });
    assert.deepEqual(
      found.map(({ id }) => Number(id)),
      all.filter(hasAccent),
    );
    const sold = await walkOrders(store, { limit: 1000, completedFrom: new Date(0) });
    assert.deepEqual(
      sold.map(({ id, completedAt }) => [Number(id), completedAt]),
      all.filter(isCompleted).map((i) => [i, new Date(completedAt(i, count)).toISOString()]),
    );
    const noted = await walkOrders(store, { limit: 1000, note: 'fur frau' });
    assert.deepEqual(
      noted.map(({ id }) => Number(id)),
      all.filter((i) => outcomeOf(i) && hasNote(i)),
    );
    for (let category = 0; category < CATEGORIES; category++) {
      const counts = { ...NO_ANIMALS };
      for (const i of all) if (i % CATEGORIES === category) counts[outcomeOf(i)?.[1] ?? 'available']++;
      assert.deepEqual(await store.countPets(BigInt(category)), counts, `category ${category}`);
    }
  } finally {
    await store.close();
  }
}
