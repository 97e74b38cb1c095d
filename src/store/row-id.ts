import { int64FromText } from '../contract/int64.ts';

/** The row that an id identifies; undefined for another spelling of a number (01, -0), which is not the id of any row. */
export function rowIdOf(id: string): bigint | undefined {
  const row = int64FromText(id);
  return row !== undefined && String(row) === id ? row : undefined;
}
