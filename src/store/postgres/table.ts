import type { Row } from 'postgres';
import type * as shared from '../table.ts';
import { type AnyColumn, columnsOf, tableOf } from '../table.ts';

export { nullable } from '../table.ts';

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

interface Dialect {
  readonly type: 'int8' | 'text' | 'timestamptz';
  /** Whether it is one of a few words, which need no escaping. */
  readonly isWord?: true;
  /** Without it, the column has the value of the field. */
  readonly write?: (field: never) => Element;
}
type Column<Field> = shared.Column<Field> & Dialect;
type DerivedColumn<T> = shared.DerivedColumn<T, Element> & Pick<Dialect, 'type'>;
export type Table<T> = shared.Table<T, Dialect, DerivedColumn<never>, Row>;

export function defineTable<T>(
  name: string,
  columns: shared.Columns<T, Dialect>,
  derived: readonly DerivedColumn<Omit<T, 'id'>>[] = [],
): Table<T> {
  return tableOf({ name, columns, derived, jsonOf, valueIn: (row, column) => row[column] });
}

function jsonOf(columns: readonly shared.FieldColumn<Dialect>[]): string {
  const members = columns.map(([field, column], i) => {
    const member = `'${i === 0 ? '{' : ','}"${field}":', ${jsonValue(column)}`;
    return column.nullable ? `CASE WHEN ${column.name} IS NOT NULL THEN concat(${member}) END` : member;
  });
  return `concat(${members.join(', ')}, '}')`;
}

/** The value of a column in JSON, as arguments of `concat`. */
function jsonValue({ name, type, isWord }: AnyColumn<Dialect>): string {
  if (type === 'int8') return name;
  if (isWord) return `'"', ${name}, '"'`;
  if (type === 'text') return `to_json(${name})`;
  return `'"', to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '"'`;
}

/**
 * The fields whose column differs from the one of the same name with the prefix `old`, with their values there, as an SQL expression: the
 * members of a JSON object.
 */
export function changedMembers<T>({ columns }: Table<T>, old: string): string {
  const members = columnsOf(columns).map(([field, column]) => {
    const [before, after] = [`${old}${column.name}`, column.name];
    return `CASE WHEN ${before} <> ${after} THEN concat('"${field}":', ${jsonValue({ ...column, name: before })}) END`;
  });
  return `concat_ws(',', ${members.join(', ')})`;
}

/** Items as arrays, one per column: a statement has one parameter per column, however many rows it inserts. */
export interface ColumnArrays {
  /** The names of the columns, separated by commas. */
  readonly list: string;
  /** Placeholders with their types, as arguments of `unnest`: `$1::int8[], $2::text[]`. */
  readonly placeholders: string;
  readonly values: string[];
}

/** The arrays of a table's columns, without the column of the field `generated`. */
export function columnArrays<T, Generated extends keyof T = never>(
  { columns, derived }: Table<T>,
  items: readonly Omit<T, Generated>[],
  generated?: Generated,
): ColumnArrays {
  const given = columnsOf(columns).filter(([field]) => field !== generated);
  const written: DerivedColumn<Omit<T, Generated>>[] = [
    ...given.map(([field, { name, type, write }]) => ({
      name,
      type,
      value: (item: Omit<T, Generated>) => {
        const value = (item as Record<string, Element>)[field];
        return write ? write(value as never) : value;
      },
    })),
    ...(derived as readonly DerivedColumn<Omit<T, Generated>>[]),
  ];
  return {
    list: written.map(({ name }) => name).join(', '),
    placeholders: written.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', '),
    values: written.map(({ value }) => arrayOf(items.map(value))),
  };
}

export const integer = (name: string): Column<bigint> => ({ name, type: 'int8' });
export const text = <Text extends string>(name: string): Column<Text> => ({ name, type: 'text' });
export const word = <Word extends string>(name: string): Column<Word> => ({ ...text(name), isWord: true });
/** Words separated by spaces, which are an array in the program. */
export const words = <Word extends string>(name: string): Column<readonly Word[]> => ({
  name,
  type: 'text',
  read: (text: string) => text.split(' ') as Word[],
  write: (value: readonly Word[]) => value.join(' '),
});
/** An integer id that the program handles as text. */
export const textId = (name: string): Column<string> => ({ name, type: 'int8', read: String });
/** An integer that is a number in the program. */
export const count = (name: string): Column<number> => ({ name, type: 'int8', read: Number });
/** A time that is a Date in the program. */
export const date = (name: string): Column<Date> => ({ name, type: 'timestamptz' });
/** A time that is RFC 3339 text in the program. */
export const timestamp = (name: string): Column<string> => ({
  name,
  type: 'timestamptz',
  read: (value: Date) => value.toISOString(),
});
