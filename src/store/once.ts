import { type GenericSchema, parse } from 'valibot';
import { ApiError } from '../contract/errors.ts';
import { parseJson } from '../contract/json.ts';
import type { Created, Once } from './store.ts';

/** What was kept of the first call with a `Once`. */
export interface Kept {
  readonly fingerprint: string;
  readonly result: string;
}

/** The first result again, for the same request; throws for another one. */
export function replay<T>(once: Once, kept: Kept, schema: GenericSchema<unknown, T>): Created<T> {
  if (kept.fingerprint !== once.fingerprint) {
    throw new ApiError(
      'idempotency_key_reused',
      'This Idempotency-Key was used for another request. Use a new one.',
    );
  }
  return { value: parse(schema, parseJson(kept.result)), replayed: true };
}
