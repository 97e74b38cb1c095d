import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { compile, fieldOf } from '../../contract/compile.ts';
import { compileFromRow } from '../from-row.ts';
import { writeStatement } from './connection.ts';

/** The columns of a row in their order, with integers as bigints: half the cost of an object per row. */
export type Row = SQLOutputValue[];

/** How a field is stored. Without `read` and `write`, the column has the value of the field. */
interface Column<Field> {
  readonly name: string;
  readonly read?: (value: SQLOutputValue) => Field;
  /** Its value in JSON, as an SQL expression; without it, that of the column. */
  readonly json?: string;
  readonly write?: (field: Field) => SQLInputValue;
}
/** NULL means that the field is absent. */
type NullableColumn<Field> = Column<Field> & { readonly nullable: true };

type Columns<T> = {
  readonly [F in keyof T]-?: undefined extends T[F] ? NullableColumn<Exclude<T[F], undefined>> : Column<T[F]>;
};

/** A column that is computed from the item when it is inserted, and never read into a field. */
interface DerivedColumn<T> {
  readonly name: string;
  readonly value: (item: T) => SQLInputValue;
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
  /** Ignores values after those of the table's columns. */
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
    json: `json_object(${all.map(([field, column]) => `'${field}', ${column.json ?? column.name}`).join(', ')})`,
    fromRow: compileFromRow(all, (_name, i) => `input[${i}]`),
  };
}

/** Prepares the insertion of items whose `generated` field is assigned by the database; each call returns its value. */
export function insertInto<T, Generated extends keyof T = never>(
  db: DatabaseSync,
  table: Table<T>,
  { generated, orReplace = false }: { generated?: Generated; orReplace?: boolean } = {},
): (item: Omit<T, Generated>) => bigint {
  const { name, columns, derived } = table;
  const given = columnsOf(columns).filter(([field]) => field !== generated);
  const scope: Record<string, unknown> = {};
  const values = given.map(([field, { write, nullable }], i) => {
    if (write) scope[`write${i}`] = write;
    const value = write ? `write${i}(${fieldOf(field)})` : fieldOf(field);
    return nullable ? `${fieldOf(field)} === undefined ? null : ${value}` : value;
  });
  for (const [i, { value }] of derived.entries()) {
    scope[`derive${i}`] = value;
    values.push(`derive${i}(input)`);
  }
  const names = writtenColumns(table, generated);
  const toRow = compile<Omit<T, Generated>, SQLInputValue[]>(`return [${values.join(', ')}]`, scope);
  const statement = writeStatement(
    db,
    `INSERT ${orReplace ? 'OR REPLACE ' : ''}INTO ${name} (${names.join(', ')})
     VALUES (${names.map(() => '?').join(', ')})`,
  );
  return (item) => BigInt(statement.run(...toRow(item)).lastInsertRowid);
}

/** The names of the columns that an insertion writes: all but the one that the database assigns. */
export function writtenColumns<T>({ columns, derived }: Table<T>, generated?: keyof T): string[] {
  const given = columnsOf(columns).filter(([field]) => field !== generated);
  return [...given.map(([, { name }]) => name), ...derived.map(({ name }) => name)];
}

/** A statement that returns each row as a `Row`. */
export function rowStatement(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return statement;
}

export const integer = (name: string): Column<bigint> => ({ name });
export const text = <Text extends string>(name: string): Column<Text> => ({ name });
/** An integer id that the program handles as text. */
export const textId = (name: string): Column<string> => ({ name, read: String, write: BigInt });
/** A time as milliseconds since 1970, which is a Date in the program. */
export const date = (name: string): Column<Date> => ({
  name,
  read: (ms) => new Date(Number(ms)),
  write: (value) => value.getTime(),
});
/** The same, which is RFC 3339 text in the program. */
export const timestamp = (name: string): Column<string> => ({
  name,
  read: (ms) => new Date(Number(ms)).toISOString(),
  // A number that is no time is an error, that of malformed JSON, and not null.
  json: `coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', ${name} / 1000.0, 'unixepoch'), json('no time'))`,
  write: (value) => Date.parse(value),
});
export const nullable = <Field>(column: Column<Field>): NullableColumn<Field> => ({
  ...column,
  nullable: true,
});

function columnsOf<T>(columns: Columns<T>): [string, Column<never> & { nullable?: true }][] {
  return Object.entries(columns);
}
