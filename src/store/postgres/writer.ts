import { Pet } from '../../contract/pet.ts';
import type { Outcome } from '../batcher.ts';
import { replay, type StoredResult } from '../replay.ts';
import type { Created, IdempotencyKey } from '../store.ts';
import { keyExpired, mayBeOneRow } from './errors.ts';
import { findResults } from './idempotency.ts';
import { type CreatedPet, createEach, type PetToCreate } from './pet-creates.ts';
import type { ConnectionGroup } from './pool/connection-group.ts';

type Creation = Outcome<Created<Pet>>;

/** How long after a batch was rolled back its parts are tried. */
const RETRY_MS = 2000;

/** A part of a batch that was rolled back because of `error`. */
interface Retry {
  readonly until: number;
  readonly error: Error;
}

/** Creates a batch of animals with one statement and one commit. One that fails does not affect the others. */
export function createWriter(
  database: ConnectionGroup,
): (batch: readonly PetToCreate[]) => Promise<Creation[]> {
  async function createAll(batch: readonly PetToCreate[], retry?: Retry): Promise<Creation[]> {
    let created: CreatedPet[];
    try {
      created = await database.write(async (sql) => {
        if (retry && performance.now() >= retry.until) throw retry.error;
        return createEach(sql, batch);
      });
    } catch (error) {
      if (batch.length > 1 && mayBeOneRow(error)) return createParts(batch, error as Error, retry);
      return failures(batch, error as Error);
    }
    return outcomesOf(batch, created);
  }

  /**
   * The server has rolled back the batch, so its parts can be tried: groups first, then each animal of a group that was
   * rolled back again. Without such an answer the outcome is unknown, and nothing is ever sent again.
   */
  async function createParts(
    batch: readonly PetToCreate[],
    error: Error,
    retry?: Retry,
  ): Promise<Creation[]> {
    if (retry && performance.now() >= retry.until) return failures(batch, error);
    const size = retry ? 1 : Math.floor(Math.sqrt(batch.length));
    const until = retry?.until ?? performance.now() + RETRY_MS;
    const parts = Array.from({ length: Math.ceil(batch.length / size) }, (_, i) =>
      batch.slice(i * size, (i + 1) * size),
    );
    return (await Promise.all(parts.map((part) => createAll(part, { until, error })))).flat();
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

  return (batch) => createAll(batch);
}

const failures = (batch: readonly unknown[], error: Error): Creation[] =>
  batch.map(() => ({ ok: false, error }));
