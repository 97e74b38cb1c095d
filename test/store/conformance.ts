import { describe, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import type { OpenOptions } from '../../src/store/open-options.ts';
import type { Store } from '../../src/store/store.ts';
import { animals } from './conformance/animals.ts';
import { categories } from './conformance/categories.ts';
import { completions } from './conformance/completions.ts';
import { corrections } from './conformance/corrections.ts';
import { counts } from './conformance/counts.ts';
import { eventFilters } from './conformance/event-filters.ts';
import { events } from './conformance/events.ts';
import { idempotency } from './conformance/idempotency.ts';
import { keys } from './conformance/keys.ts';
import { lifetime } from './conformance/lifetime.ts';
import { names } from './conformance/names.ts';
import { orders } from './conformance/orders.ts';
import { ordersModel } from './conformance/orders-model.ts';
import { removedPets } from './conformance/removed-pets.ts';
import { version } from './conformance/version.ts';

/** A new, empty store for one test. The function that opens it deletes it when the test ends. */
export interface Opened {
  readonly store: Store;
  close(): Promise<void>;
  /** Closes the store if it is open, and opens the same database again. */
  reopen(): Promise<Store>;
}

export type Open = (t: TestContext) => Promise<Opened>;

/** A store on a new database, for one test. */
export async function openOn(t: TestContext, database: string, options?: OpenOptions): Promise<Opened> {
  let store = await openStore(database, options);
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await store.close();
  };
  t.after(close);
  const reopen = async () => {
    await close();
    store = await openStore(database, options);
    isOpen = true;
    return store;
  };
  return { store, close, reopen };
}

export interface Capabilities {
  /** Whether the data survives `reopen`. Tests that need this are registered only if it does. */
  readonly persistent: boolean;
  /** Whether it has a `version`. */
  readonly versioned: boolean;
  /** Whether it is filled until a page ends before it is full, which takes seconds. */
  readonly thorough: boolean;
}

/** Tests every guarantee of `src/store/store.ts`. Each store is tested with one call; no test depends on the implementation. */
export function conformance(name: string, open: Open, capabilities: Capabilities): void {
  describe(`${name} as a Store`, () => {
    for (const part of [
      animals,
      names,
      categories,
      counts,
      corrections,
      removedPets,
      orders,
      ordersModel,
      completions,
      events,
      eventFilters,
      idempotency,
      keys,
      version,
      lifetime,
    ])
      part(open, capabilities);
  });
}
