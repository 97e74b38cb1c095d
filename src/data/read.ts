import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';
import { DataError, type Format, type InvalidRow, isValid, type ReadRow, type RowFields } from './rows.ts';

/**
 * Reads rows and validates each against `schema`, in batches of bounded size. Input that cannot be read to its end rejects with a
 * DataError.
 */
export function readRows<T>(
  input: AsyncIterable<Uint8Array>,
  format: Format,
  schema: RowFields<T>,
): AsyncGenerator<ReadRow<T>[], void, undefined> {
  return format === 'csv' ? readCsv(input, schema) : readNdjson(input, schema);
}

interface ValidValuesOptions {
  /** Receives every invalid row, in order. */
  readonly onInvalid: (row: InvalidRow) => void | Promise<void>;
  /** Leaves invalid rows out, instead of failing at the end. */
  readonly skipInvalid: boolean;
}

/**
 * The values of the valid rows, with their lines. When there were invalid rows that may not be skipped, it fails at the end, after all of them have been
 * reported: a transaction that consumes the values is then rolled back, and nothing is imported.
 */
export async function* validValues<T>(
  batches: AsyncIterable<readonly ReadRow<T>[]>,
  { onInvalid, skipInvalid }: ValidValuesOptions,
): AsyncGenerator<(T & { readonly line: number })[], void, undefined> {
  let invalid = 0;
  for await (const rows of batches) {
    const values: (T & { readonly line: number })[] = [];
    for (const row of rows) {
      if (isValid(row)) values.push({ ...row.value, line: row.line });
      else {
        invalid++;
        await onInvalid(row);
      }
    }
    // After the first invalid row nothing will be imported, so the rest is only checked.
    if (values.length > 0 && (skipInvalid || invalid === 0)) yield values;
  }
  if (invalid > 0 && !skipInvalid) {
    const rows = invalid === 1 ? '1 row is' : `${invalid.toLocaleString('en')} rows are`;
    throw new DataError(
      `${rows} invalid, so nothing was imported. Fix the file and import it again, or add --skip-invalid to import the rest.`,
    );
  }
}
