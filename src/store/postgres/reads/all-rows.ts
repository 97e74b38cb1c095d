import { rowReader } from '../../columns.ts';
import type { Db } from '../pool/connection.ts';
import type { Table } from '../table.ts';

export type Value = string | bigint | number;

/** The columns of a row as the server writes them. */
export type TextRow = readonly (string | null)[];

const PARSE: Readonly<Record<'int8' | 'text' | 'timestamptz', (text: string) => unknown>> = {
  int8: BigInt,
  text: String,
  timestamptz: (text) => new Date(text),
};

/**
 * Reads any number of rows of a table as one row, so that the server sends nothing before it has read everything: when a
 * statement fails after its first rows, the driver adds as many empty rows to the next result on the connection
 * (github.com/porsager/postgres/issues/1119). It also costs the driver less than rows.
 */
export function allRowsOf<T>(table: Table<T>) {
  const texts = table.columns.map(({ name }) => `${name}::text`).join(', ');
  const parsers = table.columns.map(({ type }) => PARSE[type]);
  const itemOf = rowReader<T, TextRow>(table.columns, (row, _name, i) => {
    const text = row[i] ?? null;
    return text === null ? null : parsers[i]?.(text);
  });
  /**
   * A SELECT of one row with the column `all_rows`: the rows of `select`, in any order or in that of these columns; NULL if there are none. The
   * columns are given because an aggregate need not see the rows in the order of a sub-select.
   */
  const inOne = (select: string, order?: string) => {
    const all = `ARRAY[${texts}]${order === undefined ? '' : ` ORDER BY ${order}`}`;
    return `SELECT json_agg(${all}) AS all_rows FROM (${select}) AS item`;
  };
  /** The items in the value of `all_rows`. */
  const itemsOf = (rows: readonly TextRow[] | null) => (rows ?? []).map(itemOf);
  return {
    inOne,
    itemsOf,
    /** The items that a SELECT returns, in any order or in that of these columns. */
    async readAll(sql: Db, select: string, values: Value[] = [], order?: string): Promise<T[]> {
      const [row] = await sql.unsafe(inOne(select, order), values, { prepare: true });
      return itemsOf(row?.all_rows);
    },
  };
}
