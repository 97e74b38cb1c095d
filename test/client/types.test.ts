import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { InferInput } from 'valibot';
import {
  AnimalStore,
  type CategoryQuery,
  type EventQuery,
  type InventoryOptions,
  type KeyQuery,
  type OrderQuery,
  type PetQuery,
  type RemoveOptions,
} from '../../src/client/index.ts';
import { operations } from '../../src/contract/operations/all.ts';

type Operations = typeof operations;
type Missing<Id extends keyof Operations, Query> = Exclude<
  keyof InferInput<Operations[Id]['query']>,
  keyof Query
>;

/** Does not compile when the contract has a filter that the client lacks. */
const missing: Record<
  | Missing<'listPets', PetQuery>
  | Missing<'listCategories', CategoryQuery>
  | Missing<'listOrders', OrderQuery>
  | Missing<'listEvents', EventQuery>
  | Missing<'getInventory', InventoryOptions>
  | Missing<'removePet', RemoveOptions>
  | Missing<'listKeys', KeyQuery>,
  never
> = {};

describe('The client', () => {
  it('has a method for every operation of the contract, and every filter', () => {
    assert.deepEqual(missing, {});
    const methods = Object.getOwnPropertyNames(AnimalStore.prototype);
    assert.deepEqual(
      Object.keys(operations).filter((id) => !methods.includes(id)),
      [],
    );
  });

  it('marks what the contract deprecates, with the date', async () => {
    const source = await readFile(join(import.meta.dirname, '../../src/client/animal-store.ts'), 'utf8');
    const marked = [...source.matchAll(/@deprecated ([^*]*)\*\/\s*(?:async )?(\w+)/g)];
    const deprecated = Object.values(operations).flatMap((one) => ('deprecated' in one ? [one] : []));
    assert.deepEqual(
      marked.map(([, , name]) => name),
      deprecated.map(({ id }) => id),
    );
    for (const [
      index,
      {
        deprecated: { sunset },
      },
    ] of deprecated.entries()) {
      const date = new Date(sunset).toLocaleDateString('en-GB', {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        timeZone: 'UTC',
      });
      assert.ok(marked[index]?.[1]?.includes(date), `${date} is not mentioned`);
    }
  });
});
