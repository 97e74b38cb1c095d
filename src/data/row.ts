import { kib, limits } from '../contract/limits.ts';

/** What a row holds: a valid value, or every problem that it has. */
export type ReadRow<T> = ValidRow<T> | InvalidRow;

export interface ValidRow<T> {
  readonly line: number;
  readonly value: T;
  readonly problems: [];
}

export interface InvalidRow {
  /** Where the row begins in the input, from 1. */
  readonly line: number;
  readonly problems: readonly string[];
  /** The row as text, with its line end, so that it can be fixed and imported again. */
  readonly source: string;
  /** What a file of such rows begins with: the header row of CSV, nothing for NDJSON. */
  readonly header: string;
}

export const isValid = <T>(row: ReadRow<T>): row is ValidRow<T> => row.problems.length === 0;

/** As large as the body of a request may be, so that memory stays bounded whatever the input is. */
export const MAX_ROW_LENGTH = limits.bodyBytes;
export const tooLong = (line: number): string =>
  `Line ${line}: the row is longer than ${kib(MAX_ROW_LENGTH)}.`;
