import { describe, type TestContext } from 'node:test';
import { type OpenOptions, openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { animals } from './conformance/animals.ts';
import { keyChanges } from './conformance/key-changes.ts';
import { keys } from './conformance/keys.ts';
import { lifetime } from './conformance/lifetime.ts';
import { once } from './conformance/once.ts';
import { orders } from './conformance/orders.ts';
import { version } from './conformance/version.ts';

/** A new, empty store for one test. Whoever opens it cleans it up when the test ends. */
export interface Opened {
  readonly store: Store;
  close(): Promise<void>;
  /** Closes the store when it is open, and opens anew what it kept. */
  reopen(): Promise<Store>;
}

export type Open = (t: TestContext) => Promise<Opened>;

/** A store on a database that is new, for one test. */
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

export interface Abilities {
  /** Whether what was written is still there after `reopen`. Tests that need it are not registered otherwise. */
  readonly lasting: boolean;
  /** Whether it has a `version`. */
  readonly versioned: boolean;
}

/**
 * Every promise of `src/store/store.ts`, in words. A store joins by one call; nothing here knows what it is
 * made of.
 */
export function conformance(name: string, open: Open, abilities: Abilities): void {
  describe(`${name} as a Store`, () => {
    for (const part of [animals, orders, once, keys, keyChanges, version, lifetime]) part(open, abilities);
  });
}
