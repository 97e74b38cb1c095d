import assert from 'node:assert/strict';
import type { EventPosition } from '../../../src/contract/event-id.ts';
import type { Store } from '../../../src/store/store.ts';
import type { Service } from '../../support/service/service.ts';

export const createPet = async (
  { call }: Pick<Service, 'call'>,
  name = 'Rex',
): Promise<{ id: number; text: string }> => {
  const { text, status } = await call('POST', '/v1/pets', { body: { name, categoryId: 7 } });
  assert.equal(status, 201);
  return { id: JSON.parse(text).id, text };
};

/** Adds animals, each with an event. */
export const createMany = ({ store }: Service, count: number) =>
  store.createPets(
    Array.from({ length: count }, (_, n) => ({ name: `Pet ${n}`, categoryId: 7n, status: 'available' })),
  );

/** Every event, read in pages. */
export async function listAll({ store }: Service, petId?: bigint): Promise<string[]> {
  const all: string[] = [];
  for (let after: EventPosition | undefined, isDone = false; !isDone; isDone = !after) {
    const page = await store.listEvents({ limit: 100, after, petId });
    all.push(...page.events.map(({ json }) => json));
    after = page.next;
  }
  return all;
}

/** The store with another way to read its events. */
export const withRead = (store: Store, listEvents: Store['listEvents']): Store =>
  Object.create(store, { listEvents: { value: listEvents } });

/** The id of an event. */
export const idOf = (json: string | undefined): string => (JSON.parse(json ?? '') as { id: string }).id;
