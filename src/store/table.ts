import { int64FromText } from '../contract/int64.ts';

/** How a field is stored. Without `read`, the field has the value of the column. A dialect adds what only it needs. */
export interface Column<Field> {
  readonly name: string;
  readonly read?: (value: never) => Field;
}
/** NULL means that the field is absent. */
interface Nullable {
  readonly nullable: true;
}

export type Columns<T, Dialect> = {
  readonly [F in keyof T]-?: Dialect &
    (undefined extends T[F] ? Column<Exclude<T[F], undefined>> & Nullable : Column<T[F]>);
};

/** A column that is computed from the item when it is inserted, and never read into a field. */
export interface DerivedColumn<T, Value> {
  readonly name: string;
  readonly value: (item: T) => Value;
}

/** The one place that knows how the fields of a `T` are stored; every statement and conversion is derived from it. */
export interface Table<T, Dialect, Derived, Row> {
  readonly name: string;
  readonly columns: Columns<T, Dialect>;
  readonly derived: readonly Derived[];
  /** The names of the columns, separated by commas. */
  readonly list: string;
  /** `SELECT … FROM …`, with the columns that `fromRow` expects. */
  readonly select: string;
  /** An item as JSON text, as an SQL expression. */
  readonly json: string;
  readonly fromRow: (row: Row) => T;
}

/** What `columns` says about each field, in the order of the table. */
export type AnyColumn<Dialect> = Dialect & Column<unknown> & Partial<Nullable>;
export type FieldColumn<Dialect> = readonly [field: string, column: AnyColumn<Dialect>];

export function columnsOf<T, Dialect>(columns: Columns<T, Dialect>): FieldColumn<Dialect>[] {
  return Object.entries(columns);
}

interface Parts<T, Dialect, Derived, Row> {
  readonly name: string;
  readonly columns: Columns<T, Dialect>;
  readonly derived: readonly Derived[];
  readonly jsonOf: (columns: readonly FieldColumn<Dialect>[]) => string;
  readonly valueIn: ValueIn<Row>;
}

export function tableOf<T, Dialect, Derived, Row>({
  name,
  columns,
  derived,
  jsonOf,
  valueIn,
}: Parts<T, Dialect, Derived, Row>): Table<T, Dialect, Derived, Row> {
  const all = columnsOf(columns);
  const list = all.map(([, column]) => column.name).join(', ');
  const select = `SELECT ${list} FROM ${name}`;
  return { name, columns, derived, list, select, json: jsonOf(all), fromRow: rowReader(all, valueIn) };
}

/** The value of a column in a row. */
type ValueIn<Row> = (row: Row, name: string, index: number) => unknown;

/** The conversion of a row into an item. */
export function rowReader<T, Row>(
  columns: readonly FieldColumn<unknown>[],
  valueIn: ValueIn<Row>,
): (row: Row) => T {
  return (row) => {
    const item: Record<string, unknown> = {};
    for (const [i, [field, { name, read, nullable }]] of columns.entries()) {
      const value = valueIn(row, name, i);
      if (nullable && value === null) continue;
      item[field] = read ? read(value as never) : value;
    }
    return item as T;
  };
}

export const nullable = <C extends Column<unknown>>(column: C): C & Nullable => ({
  ...column,
  nullable: true,
});

/** The row that an id identifies; undefined for another spelling of a number (01, -0), which is not the id of any row. */
export function rowIdOf(id: string): bigint | undefined {
  const row = int64FromText(id);
  return row !== undefined && String(row) === id ? row : undefined;
}
