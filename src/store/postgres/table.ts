import type * as shared from '../columns.ts';
import { type Kind, type TableColumn, type TableDefinition, tableOf } from '../columns.ts';
import { CHUNK_ROWS } from '../tools/dump.ts';
import type { Db, TextRow, Value } from './pool/connection.ts';
import { IN_TRANSACTION } from './transaction.ts';

type Element = string | bigint | number | Date | null | undefined;

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

interface Dialect {
  readonly type: 'int8' | 'text' | 'timestamptz';
  readonly read?: (text: string) => unknown;
  /** Without this, the column has the value of the field. */
  readonly write?: (field: never) => Element;
  /** Whether its text needs no escaping. */
  readonly isWord?: true;
}
export type Table<T> = shared.Table<T, Dialect, TextRow>;

const kinds: Readonly<Record<Kind, Dialect>> = {
  integer: { type: 'int8', read: BigInt },
  text: { type: 'text' },
  word: { type: 'text', isWord: true },
  words: {
    type: 'text',
    read: (text) => text.split(' '),
    write: (value: readonly string[]) => value.join(' '),
  },
  textId: { type: 'int8' },
  count: { type: 'int8', read: Number },
  date: { type: 'timestamptz', read: (text) => new Date(text) },
  timestamp: { type: 'timestamptz', read: (text) => new Date(text).toISOString() },
};

export const defineTable = <T>(definition: TableDefinition<T>): Table<T> =>
  tableOf(definition, { kinds, jsonOf, valueIn: (row: TextRow, _name, i) => row[i] });

/**
 * A SELECT of one value: the rows of `select` as JSON for `rowsIn`, in any order or in that of these columns. The columns are given because an
 * aggregate need not see the rows in the order of a sub-select.
 */
export function rowsAsJson<T>({ columns }: Table<T>, select: string, order?: string): string {
  const row = `ARRAY[${columns.map(({ name }) => `${name}::text`).join(', ')}]`;
  return `SELECT json_agg(${row}${order === undefined ? '' : ` ORDER BY ${order}`}) FROM (${select}) AS item`;
}

export const rowsIn = <T>({ fromRow }: Table<T>, json: string | null | undefined): T[] =>
  json ? (JSON.parse(json) as TextRow[]).map(fromRow) : [];

function jsonOf(columns: readonly TableColumn<Dialect>[]): string {
  const members = columns.map((column, i) => {
    const member = `'${i === 0 ? '{' : ','}"${column.field}":', ${jsonValue(column)}`;
    return column.nullable ? `CASE WHEN ${column.name} IS NOT NULL THEN concat(${member}) END` : member;
  });
  return `concat(${members.join(', ')}, '}')`;
}

/** The value of a column in JSON, as arguments of `concat`. */
function jsonValue({ name, type, isWord }: Pick<TableColumn<Dialect>, 'name' | 'type' | 'isWord'>): string {
  if (type === 'int8') return name;
  if (isWord) return `'"', ${name}, '"'`;
  if (type === 'text') return `to_json(${name})`;
  return `'"', to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '"'`;
}

/**
 * The columns of a table but that of the field `generated`, and their values as arrays: a statement has one parameter per column, however many rows
 * it inserts. `placeholders` are arguments of `unnest`: `$1::int8[], $2::text[]`.
 */
export function columnsOf<T, Generated extends keyof T = never>(
  { columns, derived }: Table<T>,
  generated?: Generated,
) {
  type Item = Record<string, Element>;
  const written = [
    ...columns
      .filter(({ field }) => field !== generated)
      .map(({ field, name, type, write }) => ({
        name,
        type,
        value: (item: Item) => (write ? write(item[field] as never) : item[field]),
      })),
    ...derived.map(({ name, value }) => ({ name, type: 'text', value: value as (item: object) => Element })),
  ];
  return {
    names: written.map(({ name }) => name),
    list: written.map(({ name }) => name).join(', '),
    placeholders: written.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', '),
    valuesOf: (items: readonly Omit<T, Generated>[]) =>
      written.map(({ value }) => arrayOf((items as readonly object[] as Item[]).map(value))),
  };
}

/** Prepares the insertion of items in their order. */
export function insertInto<T, Generated extends keyof T = never>(table: Table<T>, generated?: Generated) {
  const { list, placeholders, valuesOf } = columnsOf(table, generated);
  const text = `INSERT INTO ${table.name} (${list}) SELECT * FROM unnest(${placeholders}) WHERE ${IN_TRANSACTION}`;
  return (items: readonly Omit<T, Generated>[]) => ({ text, values: valuesOf(items) });
}

/** Prepares the replacement of every column of rows that exist, by their ids; a `fixed` one never changes. */
export function updateIn<T extends { readonly id: bigint | string }>(table: Table<T>, fixed?: keyof T) {
  const { names, list, placeholders, valuesOf } = columnsOf(table, fixed);
  const set = names.filter((name) => name !== 'id').map((name) => `${name} = given.${name}`);
  const text = `UPDATE ${table.name} SET ${set.join(', ')}
    FROM unnest(${placeholders}) AS given (${list}) WHERE ${table.name}.id = given.id AND ${IN_TRANSACTION}`;
  return (items: readonly T[]) => ({ text, values: valuesOf(items) });
}

/** All rows of a SELECT, in chunks of bounded size. Must run inside a transaction. */
export async function* chunksOf(
  sql: Db,
  select: string,
  values?: readonly Value[],
): AsyncGenerator<TextRow[], void, undefined> {
  await sql.query(`DECLARE chunks CURSOR FOR ${select}`, values);
  for (;;) {
    const rows = await sql.query(`FETCH ${CHUNK_ROWS} FROM chunks`);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql.query('CLOSE chunks');
}
