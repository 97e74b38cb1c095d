import postgres from 'postgres';
import { ApiError } from '../../contract/errors.ts';
import { Pet } from '../../contract/pet.ts';
import type { Outcome } from '../batcher.ts';
import { type Kept, replay } from '../once.ts';
import type { Created, Once } from '../store.ts';
import type { Database } from './connection.ts';
import { findOnces } from './once.ts';
import { type InsertedPet, insertPets, type PetToCreate } from './pets.ts';

type Creation = Outcome<Created<Pet>>;

/** Creates a batch of animals by one statement and one commit. One that fails fails alone. */
export function createWriter(database: Database): (given: readonly PetToCreate[]) => Promise<Creation[]> {
  async function createAll(given: readonly PetToCreate[]): Promise<Creation[]> {
    let inserted: InsertedPet[];
    try {
      inserted = await database.run((sql) => insertPets(sql, given));
    } catch (error) {
      // A word from the server that it refuses the statement: then nothing of it took effect, and each animal may be
      // tried by itself. Without that word nobody knows, and nothing is ever sent again.
      const refused = error instanceof postgres.PostgresError;
      if (refused && given.length > 1)
        return (await Promise.all(given.map((one) => createAll([one])))).flat();
      return given.map(() => ({ ok: false, error: error as Error }));
    }
    return answers(given, inserted);
  }

  /** Those that added nothing get what the first call with their key has kept. */
  async function answers(
    given: readonly PetToCreate[],
    inserted: readonly InsertedPet[],
  ): Promise<Creation[]> {
    const stale = given.flatMap(({ once }, i) => (once && !inserted[i]?.fresh ? [once] : []));
    const kept = new Map<Once, Kept | undefined>();
    let failure: unknown = new ApiError('unavailable', 'The Idempotency-Key has just expired. Try again.');
    if (stale.length > 0) {
      try {
        const found = await database.run((sql) => findOnces(sql, stale));
        for (const [i, once] of stale.entries()) kept.set(once, found[i]);
      } catch (error) {
        failure = error;
      }
    }
    return given.map(({ pet, once }, i): Creation => {
      const { id, fresh } = inserted[i] as InsertedPet;
      if (fresh || !once) return { ok: true, value: { value: { id, ...pet }, replayed: false } };
      const first = kept.get(once);
      try {
        if (!first) throw failure;
        return { ok: true, value: replay(once, first, Pet) };
      } catch (error) {
        return { ok: false, error: error as Error };
      }
    });
  }

  return createAll;
}
