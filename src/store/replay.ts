import { ApiError } from '../contract/errors.ts';
import type { Created, IdempotencyKey } from './store.ts';

/** The result of the first call with an idempotency key, stored in the transaction of that call. */
export interface StoredResult extends IdempotencyKey {
  /** The created item as JSON. */
  readonly result: string;
  readonly createdAt: Date;
}

/** Returns the first result again if the request is the same; throws if the key was used for another request. */
export function replay({ fingerprint }: IdempotencyKey, stored: StoredResult): Created {
  if (stored.fingerprint !== fingerprint) {
    throw new ApiError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request. Use a new one.',
    );
  }
  return { json: stored.result, replayed: true };
}
