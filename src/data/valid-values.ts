import { DataError } from './format.ts';
import { type InvalidRow, isValid, type ReadRow } from './row.ts';

export interface ValidValuesOptions {
  /** Receives every invalid row, in order. */
  readonly onInvalid: (row: InvalidRow) => void | Promise<void>;
  /** Leaves invalid rows out, instead of failing at the end. */
  readonly skipInvalid: boolean;
}

/**
 * The values of the valid rows. When there were invalid rows that may not be skipped, it fails at the end, after all of them have been
 * reported: a transaction that consumes the values is then rolled back, and nothing is imported.
 */
export async function* validValues<T>(
  batches: AsyncIterable<readonly ReadRow<T>[]>,
  { onInvalid, skipInvalid }: ValidValuesOptions,
): AsyncGenerator<T[], void, undefined> {
  let invalid = 0;
  for await (const rows of batches) {
    const values: T[] = [];
    for (const row of rows) {
      if (isValid(row)) values.push(row.value);
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
      `${rows} invalid, so nothing was imported. Fix them, or add --skip-invalid to import the rest.`,
    );
  }
}
