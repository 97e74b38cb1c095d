import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type * as shared from '../table.ts';
import { type AnyColumn, columnsOf, tableOf } from '../table.ts';
import { writeStatement } from './connection.ts';

export { nullable } from '../table.ts';

/** The columns of a row in their order, with integers as bigints: half the cost of an object per row. */
export type Row = SQLOutputValue[];

interface Dialect {
  /** The value of the column in JSON, as an SQL expression; without it, that of the column. */
  readonly json?: string;
  /** Without it, the column has the value of the field. */
  readonly write?: (field: never) => SQLInputValue;
}
type Column<Field> = shared.Column<Field> & Dialect;
type DerivedColumn<T> = shared.DerivedColumn<T, SQLInputValue>;
/** `fromRow` ignores values after those of the table's columns. */
export type Table<T> = shared.Table<T, Dialect, DerivedColumn<never>, Row>;

export function defineTable<T>(
  name: string,
  columns: shared.Columns<T, Dialect>,
  derived: readonly DerivedColumn<Omit<T, 'id'>>[] = [],
): Table<T> {
  return tableOf({ name, columns, derived, jsonOf, valueIn: (row, _name, i) => row[i] });
}

function jsonOf(columns: readonly shared.FieldColumn<Dialect>[]): string {
  const members = columns.map(([field, { name, json = name }]) => `'${field}', ${json}`);
  const object = `json_object(${members.join(', ')})`;
  // A merge patch leaves out what is null.
  return columns.some(([, { nullable }]) => nullable) ? `json_patch('{}', ${object})` : object;
}

/** The fields whose column differs from the one of the same name with the prefix `old`, with their values there, as JSON. */
export function changedFields<T>({ columns }: Table<T>, old: string): string {
  const members = columnsOf(columns).map(
    ([field, { name }]) => `'${field}', CASE WHEN ${old}${name} <> ${name} THEN ${old}${name} END`,
  );
  return `json_patch('{}', json_object(${members.join(', ')}))`;
}

/** Prepares the insertion of items whose `generated` field is assigned by the database; each call returns its value. */
export function insertInto<T, Generated extends keyof T = never>(
  db: DatabaseSync,
  table: Table<T>,
  { generated, orReplace = false }: { generated?: Generated; orReplace?: boolean } = {},
): (item: Omit<T, Generated>) => bigint {
  const { name, columns, derived } = table;
  const given = columnsOf(columns).filter(([field]) => field !== generated);
  const names = writtenColumns(table, generated);
  const statement = writeStatement(
    db,
    `INSERT ${orReplace ? 'OR REPLACE ' : ''}INTO ${name} (${names.join(', ')})
     VALUES (${names.map(() => '?').join(', ')})`,
  );
  return (item) => {
    const values = given.map(([field, column]) => toColumn(item[field as keyof typeof item], column));
    for (const { value } of derived) values.push(value(item as never));
    return BigInt(statement.run(...values).lastInsertRowid);
  };
}

function toColumn(value: unknown, { write, nullable }: AnyColumn<Dialect>): SQLInputValue {
  if (nullable && value === undefined) return null;
  return write ? write(value as never) : (value as SQLInputValue);
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

/** A statement that returns the columns of the table, of one row at most: the item in it. */
export function itemStatement<T>(
  db: DatabaseSync,
  { fromRow }: Table<T>,
  sql: string,
): (...values: SQLInputValue[]) => T | undefined {
  const statement = rowStatement(db, sql);
  return (...values) => {
    const row = statement.get(...values) as unknown as Row | undefined;
    return row && fromRow(row);
  };
}

/** The item with an id. */
export const itemById = <T>(db: DatabaseSync, table: Table<T>): ((id: SQLInputValue) => T | undefined) =>
  itemStatement(db, table, `${table.select} WHERE id = ?`);

export const integer = (name: string): Column<bigint> => ({ name });
export const text = <Text extends string>(name: string): Column<Text> => ({ name });
/** An integer id that the program handles as text. */
export const textId = (name: string): Column<string> => ({ name, read: String, write: BigInt });
/** Words separated by spaces, which are an array in the program. */
export const words = <Word extends string>(name: string): Column<readonly Word[]> => ({
  name,
  read: (text: string) => text.split(' ') as Word[],
  write: (value: readonly Word[]) => value.join(' '),
});
/** A time as milliseconds since 1970, which is a Date in the program. */
export const date = (name: string): Column<Date> => ({
  name,
  read: (ms: bigint) => new Date(Number(ms)),
  write: (value: Date) => value.getTime(),
});
/** The same, which is RFC 3339 text in the program. */
export const timestamp = (name: string): Column<string> => ({
  name,
  read: (ms: bigint) => new Date(Number(ms)).toISOString(),
  // A number that is no time is an error, that of malformed JSON, and not null.
  json: `coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', ${name} / 1000.0, 'unixepoch'), json('no time'))`,
  write: (value: string) => Date.parse(value),
});
