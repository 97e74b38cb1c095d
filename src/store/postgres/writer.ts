import postgres from 'postgres';
import { Pet } from '../../contract/pet.ts';
import type { Outcome } from '../batcher.ts';
import { replay, type StoredResult } from '../replay.ts';
import type { Created, IdempotencyKey } from '../store.ts';
import type { Database } from './connection.ts';
import { keyExpired } from './errors.ts';
import { findResults } from './idempotency.ts';
import { type CreatedPet, createPets, type PetToCreate } from './pets.ts';

type Creation = Outcome<Created<Pet>>;

/** Creates a batch of animals with one statement and one commit. One that fails does not affect the others. */
export function createWriter(database: Database): (batch: readonly PetToCreate[]) => Promise<Creation[]> {
  async function createAll(batch: readonly PetToCreate[]): Promise<Creation[]> {
    let created: CreatedPet[];
    try {
      created = await database.write((sql) => createPets(sql, batch));
    } catch (error) {
      // If the server refused the statement, it wrote nothing, and each animal can be tried alone. After any other
      // error the outcome is unknown, and nothing is ever sent again.
      const isRefused = error instanceof postgres.PostgresError;
      if (isRefused && batch.length > 1)
        return (await Promise.all(batch.map((one) => createAll([one])))).flat();
      return batch.map(() => ({ ok: false, error: error as Error }));
    }
    return outcomesOf(batch, created);
  }

  /** An animal that was not added gets the stored result of the first call with its key. */
  async function outcomesOf(
    batch: readonly PetToCreate[],
    created: readonly CreatedPet[],
  ): Promise<Creation[]> {
    const used = batch.flatMap(({ idempotencyKey }, i) =>
      idempotencyKey && !created[i]?.added ? [idempotencyKey] : [],
    );
    const stored = new Map<IdempotencyKey, StoredResult | undefined>();
    let failure: unknown = keyExpired();
    if (used.length > 0) {
      try {
        const results = await database.read((sql) => findResults(sql, used));
        for (const [i, key] of used.entries()) stored.set(key, results[i]);
      } catch (error) {
        failure = error;
      }
    }
    return batch.map(({ pet, idempotencyKey }, i): Creation => {
      const { id, added } = created[i] as CreatedPet;
      if (added || !idempotencyKey) return { ok: true, value: { value: { id, ...pet }, replayed: false } };
      const first = stored.get(idempotencyKey);
      try {
        if (!first) throw failure;
        return { ok: true, value: replay(idempotencyKey, first, Pet) };
      } catch (error) {
        return { ok: false, error: error as Error };
      }
    });
  }

  return createAll;
}
