import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import type * as shared from '../columns.ts';
import { type Kind, type TableColumn, type TableDefinition, tableOf } from '../columns.ts';
import { CHUNK_ROWS } from '../tools/dump.ts';
import { writeStatement } from './connection.ts';

/** The columns of a row in their order, with integers as bigints: cheaper than an object per row. */
export type Row = SQLOutputValue[];

interface Dialect {
  readonly read?: (value: never) => unknown;
  /** Without this, the column has the value of the field. */
  readonly write?: (field: never) => SQLInputValue;
  /** The value of the column in JSON, as an SQL expression. Without this, it is the column itself. */
  readonly json?: (column: string) => string;
}
/** `fromRow` ignores values after those of the table's columns. */
export type Table<T> = shared.Table<T, Dialect, Row>;

const kinds: Readonly<Record<Kind, Dialect>> = {
  integer: {},
  text: {},
  word: {},
  words: {
    read: (value: string) => value.split(' '),
    write: (value: readonly string[]) => value.join(' '),
  },
  textId: { read: String, write: BigInt },
  count: { read: Number },
  // Milliseconds since 1970.
  date: { read: (ms: bigint) => new Date(Number(ms)), write: (value: Date) => value.getTime() },
  timestamp: {
    read: (ms: bigint) => new Date(Number(ms)).toISOString(),
    write: (value: string) => Date.parse(value),
    // A number that is not a time fails with the error of malformed JSON, instead of becoming null.
    json: (column) =>
      `coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', ${column} / 1000.0, 'unixepoch'), json('no time'))`,
  },
};

export const defineTable = <T>(definition: TableDefinition<T>): Table<T> =>
  tableOf(definition, { kinds, jsonOf, valueIn: (row: Row, _name, i) => row[i] });

function jsonOf(columns: readonly TableColumn<Dialect>[]): string {
  const valueIn = ({ name, json, nullable }: TableColumn<Dialect>): string => {
    if (!json) return name;
    return nullable ? `CASE WHEN ${name} IS NOT NULL THEN ${json(name)} END` : json(name);
  };
  const members = columns.map((column) => `'${column.field}', ${valueIn(column)}`);
  const object = `json_object(${members.join(', ')})`;
  // A merge patch leaves out what is null.
  return columns.some(({ nullable }) => nullable) ? `json_patch('{}', ${object})` : object;
}

/** Prepares the insertion of items whose `generated` field is assigned by the database; each call returns its value. */
export function insertInto<T, Generated extends keyof T = never>(
  db: DatabaseSync,
  table: Table<T>,
  { generated, orReplace = false }: { generated?: Generated; orReplace?: boolean } = {},
): (item: Omit<T, Generated>) => bigint {
  const names = writtenColumns(table, generated);
  const valuesOf = valuesWithout(table, generated);
  const statement = writeStatement(
    db,
    `INSERT ${orReplace ? 'OR REPLACE ' : ''}INTO ${table.name} (${names.join(', ')})
     VALUES (${names.map(() => '?').join(', ')})`,
  );
  return (item) => BigInt(statement.run(...valuesOf(item)).lastInsertRowid);
}

/** Prepares the replacement of every column of the item that has the same id. */
export function updateIn<T extends { readonly id: bigint | string }>(
  db: DatabaseSync,
  table: Table<T>,
): (item: T) => void {
  const set = writtenColumns(table, 'id').map((column) => `${column} = ?`);
  const valuesOf = valuesWithout(table, 'id');
  const statement = writeStatement(db, `UPDATE ${table.name} SET ${set.join(', ')} WHERE id = ?`);
  return (item) => {
    statement.run(...valuesOf(item), BigInt(item.id));
  };
}

/** The names of the columns that an insertion writes: all but the one that the database assigns. */
export function writtenColumns<T>({ columns, derived }: Table<T>, generated?: keyof T): string[] {
  const given = columns.filter(({ field }) => field !== generated);
  return [...given, ...derived].map(({ name }) => name);
}

/** The values of the columns that `writtenColumns` names. */
function valuesWithout<T>({ columns, derived }: Table<T>, generated: keyof T | undefined) {
  const given = columns.filter(({ field }) => field !== generated);
  return (item: object): SQLInputValue[] => {
    const values = given.map(({ field, write, nullable }) => {
      const value = (item as Record<string, unknown>)[field];
      if (nullable && value === undefined) return null;
      return write ? write(value as never) : (value as SQLInputValue);
    });
    for (const { value } of derived) values.push(value(item as never));
    return values;
  };
}

/** A statement that returns each row as a `Row`. */
export function rowStatement(db: DatabaseSync, sql: string): StatementSync {
  const statement = db.prepare(sql);
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return statement;
}

/** Prepares the read of the first item that meets a condition, which has placeholders. */
export function itemWhere<T>(
  db: DatabaseSync,
  { select, fromRow }: Table<T>,
  where: string,
): (...values: SQLInputValue[]) => T | undefined {
  const statement = rowStatement(db, `${select} WHERE ${where}`);
  return (...values) => {
    const row = statement.get(...values) as unknown as Row | undefined;
    return row && fromRow(row);
  };
}

/** All rows of a SELECT, in chunks of bounded size. */
export function* chunksOf(db: DatabaseSync, select: string): Generator<Row[], void, undefined> {
  let rows: Row[] = [];
  for (const row of rowStatement(db, select).iterate()) {
    if (rows.push(row as unknown as Row) < CHUNK_ROWS) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}
