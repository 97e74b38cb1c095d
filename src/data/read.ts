import type { Fields } from '../contract/validate.ts';
import type { Format } from './format.ts';
import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';
import type { ReadRow } from './row.ts';

/**
 * Reads rows and validates each against `schema`, in batches of bounded size. Input that cannot be read to its end rejects with a
 * DataError.
 */
export function readRows<T>(
  input: AsyncIterable<Uint8Array>,
  format: Format,
  schema: Fields<T>,
): AsyncGenerator<ReadRow<T>[], void, undefined> {
  return format === 'csv' ? readCsv(input, schema) : readNdjson(input, schema);
}
