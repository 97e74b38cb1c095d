export type Element = string | bigint | number | Date | null | undefined;

/** Values as the text of a PostgreSQL array, for `unnest` and `ANY`: one parameter and one statement for any number. */
export function arrayOf(values: readonly Element[]): string {
  return `{${values.map(elementText).join()}}`;
}

function elementText(value: Element): string {
  if (value === null || value === undefined) return 'NULL';
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  const text = value instanceof Date ? value.toISOString() : value;
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
