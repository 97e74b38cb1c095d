import type * as shared from '../columns.ts';
import { type Kind, type TableColumn, type TableDefinition, tableOf } from '../columns.ts';
import type { TextRow } from './pool/connection.ts';

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

interface WrittenColumn {
  readonly name: string;
  readonly type: string;
  readonly value: (item: object) => Element;
}

function writtenColumns<T>({ columns, derived }: Table<T>, generated: keyof T | undefined): WrittenColumn[] {
  const given = columns.filter(({ field }) => field !== generated);
  return [
    ...given.map(({ field, name, type, write }) => ({
      name,
      type,
      value(item: object): Element {
        const value = (item as Record<string, Element>)[field];
        return write ? write(value as never) : value;
      },
    })),
    ...derived.map(({ name, value }) => ({ name, type: 'text', value: value as (item: object) => Element })),
  ];
}

const known = new WeakMap<object, Map<unknown, ReturnType<typeof describe>>>();

function describe(written: readonly WrittenColumn[]) {
  const list = written.map(({ name }) => name).join(', ');
  return { written, list, placeholders: written.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ') };
}

/**
 * Items as arrays, one per column but that of the field `generated`: a statement has one parameter per column, however many rows it inserts.
 * `placeholders` are arguments of `unnest`: `$1::int8[], $2::text[]`. What does not depend on the items is computed once.
 */
export function columnArrays<T, Generated extends keyof T = never>(
  table: Table<T>,
  items: readonly Omit<T, Generated>[],
  generated?: Generated,
) {
  const ofTable = known.get(table) ?? new Map<unknown, ReturnType<typeof describe>>();
  known.set(table, ofTable);
  const described = ofTable.get(generated) ?? describe(writtenColumns(table, generated));
  ofTable.set(generated, described);
  const { written, list, placeholders } = described;
  return { list, placeholders, values: written.map(({ value }) => arrayOf(items.map(value))) };
}
