/** Values as the text of a PostgreSQL array, for `unnest` and `ANY`: one parameter and one statement for any number. */
export function arrayOf(values: readonly (string | bigint | Date | null | undefined)[]): string {
  return `{${values.map(element).join()}}`;
}

function element(value: string | bigint | Date | null | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
