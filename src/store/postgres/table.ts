import type { Row } from 'postgres';
import type * as shared from '../columns.ts';
import { type Kind, type TableColumn, type TableDefinition, tableOf } from '../columns.ts';

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
  readonly read?: (value: never) => unknown;
  /** Without this, the column has the value of the field. */
  readonly write?: (field: never) => Element;
  /** Whether its text needs no escaping. */
  readonly isWord?: true;
}
export type Table<T> = shared.Table<T, Dialect, Row>;

const kinds: Readonly<Record<Kind, Dialect>> = {
  integer: { type: 'int8' },
  text: { type: 'text' },
  word: { type: 'text', isWord: true },
  words: {
    type: 'text',
    read: (value: string) => value.split(' '),
    write: (value: readonly string[]) => value.join(' '),
  },
  textId: { type: 'int8', read: String },
  count: { type: 'int8', read: Number },
  date: { type: 'timestamptz' },
  timestamp: { type: 'timestamptz', read: (value: Date) => value.toISOString() },
};

export const defineTable = <T>(definition: TableDefinition<T>): Table<T> =>
  tableOf(definition, { kinds, jsonOf, valueIn: (row: Row, name) => row[name] });

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
