import { compile } from '../contract/compile.ts';

interface ReadColumn {
  readonly name: string;
  /** Without it, the field has the value of the column. */
  readonly read?: (value: never) => unknown;
  /** Whether NULL means that the field is absent. */
  readonly nullable?: true;
}

/** Compiles the conversion of a row into an item. `expressionFor` a column reads its value from `input`. */
export function compileFromRow<Row, T>(
  columns: readonly (readonly [field: string, column: ReadColumn])[],
  expressionFor: (name: string, index: number) => string,
): (row: Row) => T {
  const scope: Record<string, unknown> = {};
  const required: string[] = [];
  const optional: string[] = [];
  for (const [i, [field, { name, read, nullable }]] of columns.entries()) {
    const stored = expressionFor(name, i);
    if (read) scope[`read${i}`] = read;
    const value = read ? `read${i}(${stored})` : stored;
    if (nullable) optional.push(`if (${stored} !== null) item[${JSON.stringify(field)}] = ${value};`);
    else required.push(`${JSON.stringify(field)}: ${value}`);
  }
  return compile(`const item = { ${required.join(', ')} }; ${optional.join(' ')} return item;`, scope);
}
