import type { Row } from 'postgres';
import { fieldOf } from '../../contract/compile.ts';
import { compileFromRow } from '../from-row.ts';
import { arrayOf, type Element } from './arrays.ts';

/** How a field is stored. Without `read`, the field has the value that the driver returns for the column. */
interface Column<Field> {
  readonly name: string;
  readonly type: 'int8' | 'text' | 'timestamptz';
  /** Whether it is one of a few words, which contain no space. */
  readonly isWord?: true;
  readonly read?: (value: never) => Field;
}
/** NULL means that the field is absent. */
type NullableColumn<Field> = Column<Field> & { readonly nullable: true };

type Columns<T> = {
  readonly [F in keyof T]-?: undefined extends T[F] ? NullableColumn<Exclude<T[F], undefined>> : Column<T[F]>;
};

/** A column that is computed from the item when it is inserted, and never read into a field. */
interface DerivedColumn<T> {
  readonly name: string;
  readonly type: Column<unknown>['type'];
  readonly value: (item: T) => Element;
}

/** The one place that knows how the fields of a `T` are stored; every statement and conversion is derived from it. */
export interface Table<T> {
  readonly name: string;
  readonly columns: Columns<T>;
  readonly derived: readonly DerivedColumn<never>[];
  /** The names of the columns, separated by commas. */
  readonly list: string;
  /** `SELECT … FROM …`, with the columns that `fromRow` expects. */
  readonly select: string;
  /** An item as JSON text, as an SQL expression. */
  readonly json: string;
  readonly fromRow: (row: Row) => T;
}

export function defineTable<T>(
  name: string,
  columns: Columns<T>,
  derived: readonly DerivedColumn<Omit<T, 'id'>>[] = [],
): Table<T> {
  const all = columnsOf(columns);
  const list = all.map(([, column]) => column.name).join(', ');
  return {
    name,
    columns,
    derived,
    list,
    select: `SELECT ${list} FROM ${name}`,
    json: jsonOf(all),
    fromRow: compileFromRow(all, fieldOf),
  };
}

function jsonOf(columns: readonly [string, Column<unknown>][]): string {
  const members = columns.map(
    ([field, column], i) => `'${i === 0 ? '{' : ','}"${field}":', ${jsonValue(column)}`,
  );
  return `concat(${members.join(', ')}, '}')`;
}

/** The value of a column in JSON, as arguments of `concat`. */
function jsonValue({ name, type, isWord }: Column<unknown>): string {
  if (type === 'int8') return name;
  if (isWord) return `'"', ${name}, '"'`;
  if (type === 'text') return `to_json(${name})`;
  return `'"', to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '"'`;
}

/** Each field with its column, in the order of the table. */
export function columnsOf<T>(columns: Columns<T>): [string, Column<unknown> & { nullable?: true }][] {
  return Object.entries(columns);
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
  const given = Object.entries<Column<unknown>>(columns).filter(([field]) => field !== generated);
  const written: DerivedColumn<Omit<T, Generated>>[] = [
    ...given.map(([field, { name, type }]) => ({
      name,
      type,
      value: (item: Omit<T, Generated>) => (item as Record<string, Element>)[field],
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
export const nullable = <Field>(column: Column<Field>): NullableColumn<Field> => ({
  ...column,
  nullable: true,
});
