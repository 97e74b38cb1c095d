import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';
import type { Format, ReadRow, RowFields } from './rows.ts';

/**
 * Reads rows and validates each against `schema`, in batches of bounded size. Input that cannot be read to its end rejects with a
 * DataError.
 */
export const readRows = <T>(
  input: AsyncIterable<Uint8Array>,
  format: Format,
  schema: RowFields<T>,
): AsyncGenerator<ReadRow<T>[], void, undefined> =>
  format === 'csv' ? readCsv(input, schema) : readNdjson(input, schema);
