import assert from 'node:assert/strict';
import { eventContents } from '../../../src/contract/event.ts';
import { parseJson } from '../../../src/contract/json.ts';
import type { EventQuery, Store, StoredEvent } from '../../../src/store/store.ts';
import { eventually } from '../eventually.ts';

/** The events of a store, once there are `count` of them, each with what its type promises. On PostgreSQL a transaction of another test can delay them for a moment. */
export async function storedEvents(
  store: Store,
  count: number,
  query: Partial<EventQuery> = {},
): Promise<readonly StoredEvent[]> {
  let events: readonly StoredEvent[] = [];
  await eventually(async () => {
    ({ events } = await store.listEvents({ limit: 1000, ...query }));
    return events.length >= count;
  }, `${count} events`);
  for (const { type, json } of events)
    assert.deepEqual([json, eventContents[type].filter((field) => !(field in JSON.parse(json)))], [json, []]);
  return events;
}

/** The same as a client receives them. */
export async function eventsOf(store: Store, count: number): Promise<Record<string, unknown>[]> {
  return (await storedEvents(store, count)).map(({ json }) => parseJson(json) as Record<string, unknown>);
}
