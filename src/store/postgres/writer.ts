import type { Outcome } from '../batcher.ts';
import type { Database, Pool } from './connection.ts';
import { isPassing } from './errors.ts';
import { createPets, type PetToCreate } from './pets.ts';

/** One change: an animal to add, which travels with others, or any other change, which travels alone. */
export type Write = { readonly create: PetToCreate } | { readonly run: (sql: Pool) => Promise<unknown> };

/** Commits a batch of writes: all new animals in one statement, the others beside it. One that fails fails alone. */
export function createWriter(database: Database): (writes: readonly Write[]) => Promise<Outcome<unknown>[]> {
  async function attempt(run: (sql: Pool) => Promise<unknown>): Promise<Outcome<unknown>> {
    try {
      return { ok: true, value: await database.run(run) };
    } catch (error) {
      return { ok: false, error: error as Error };
    }
  }

  async function createAll(given: readonly PetToCreate[]): Promise<Outcome<unknown>[]> {
    const batch = await attempt((sql) => createPets(sql, given));
    if (batch.ok) return batch.value as Outcome<unknown>[];
    // The server refused the statement, so nothing of it took effect: each animal may be tried by itself. After a lost
    // connection nobody knows, and nothing is ever tried again blindly.
    if (given.length === 1 || isPassing(batch.error.cause ?? batch.error)) return given.map(() => batch);
    return (await Promise.all(given.map((one) => createAll([one])))).flat();
  }

  return async (writes) => {
    const creates = writes.flatMap((write) => ('create' in write ? [write.create] : []));
    const [created, ...others] = await Promise.all([
      creates.length === 0 ? [] : createAll(creates),
      ...writes.flatMap((write) => ('run' in write ? [attempt(write.run)] : [])),
    ]);
    return writes.map((write) => ('create' in write ? created.shift() : others.shift()) as Outcome<unknown>);
  };
}
