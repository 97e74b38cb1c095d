import assert from 'node:assert/strict';
import {
  AnimalStore,
  AnimalStoreError,
  type AnimalStoreOptions,
  type Pet,
  type PetWithEtag,
} from '../../../src/client/index.ts';
import { KEY } from '../../support/service/service.ts';

/** A client with the key of the suite. Its time-out is generous: no test depends on the speed of the machine. */
export const clientOf = (baseUrl: string, options: Partial<AnimalStoreOptions> = {}): AnimalStore =>
  new AnimalStore({ baseUrl, apiKey: KEY, timeoutMs: 60_000, ...options });

/** The animal as a list has it. */
export const withoutEtag = ({ etag: _etag, ...pet }: PetWithEtag): Pet => pet;

/** The error that `promise` rejects with, which must be the one class of the client. */
export async function failureOf(promise: Promise<unknown>): Promise<AnimalStoreError> {
  const outcome = await promise.then(
    (value) =>
      assert.fail(
        `expected an error, got ${JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}n` : v))}`,
      ),
    (error: unknown) => error,
  );
  assert.ok(outcome instanceof AnimalStoreError, String(outcome));
  return outcome;
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
