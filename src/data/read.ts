import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';
import { type Format, type InvalidRow, isValid, type ReadRow, type RowFields } from './rows.ts';

/**
 * Reads rows and validates each against `schema`, in batches of bounded size. Input that cannot be read to its end rejects with a
 * DataError. `onIgnored` receives the columns or fields that the schema does not have, each at least once.
 */
export function readRows<T>(
  input: AsyncIterable<Uint8Array>,
  format: Format,
  schema: RowFields<T>,
  onIgnored: (name: string) => void = () => {},
): AsyncGenerator<ReadRow<T>[], void, undefined> {
  return (format === 'csv' ? readCsv : readNdjson)(input, schema, onIgnored);
}

/** The values of the valid rows, with their lines. `onInvalid` receives every other row, in order. */
export async function* validValues<T>(
  batches: AsyncIterable<readonly ReadRow<T>[]>,
  onInvalid: (row: InvalidRow) => void | Promise<void>,
): AsyncGenerator<(T & { readonly line: number })[], void, undefined> {
  for await (const rows of batches) {
    const values: (T & { readonly line: number })[] = [];
    for (const row of rows) {
      if (isValid(row)) values.push({ ...row.value, line: row.line });
      else await onInvalid(row);
    }
    if (values.length > 0) yield values;
  }
}
