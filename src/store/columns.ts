/** The kinds of columns, and the type of their values in the program. */
interface Kinds {
  readonly integer: bigint;
  readonly text: string;
  /** One of a few words, which need no escaping. */
  readonly word: string;
  /** Words separated by spaces. */
  readonly words: readonly string[];
  /** An integer id that the program handles as text. */
  readonly textId: string;
  /** An integer that is a number in the program. */
  readonly count: number;
  readonly date: Date;
  /** A time that is RFC 3339 text in the program. */
  readonly timestamp: string;
}
export type Kind = keyof Kinds;
type KindFor<Field> = { [K in Kind]: Field extends Kinds[K] ? K : never }[Kind];

/** How each field of a `T` is stored. NULL means that an optional field is absent. */
export type Columns<T> = {
  readonly [F in keyof T]-?: {
    readonly name: string;
    readonly kind: KindFor<Exclude<T[F], undefined>>;
  } & (undefined extends T[F] ? { readonly nullable: true } : unknown);
};

/** A table, independent of the SQL dialect: every statement and conversion is derived from it. */
export interface TableDefinition<T> {
  readonly name: string;
  readonly columns: Columns<T>;
  /** Columns of text that are computed from the item when it is inserted, and never read into a field. */
  readonly derived?: Readonly<Record<string, (item: Omit<T, 'id'>) => string | null>>;
}

const ofKind =
  <K extends Kind>(kind: K) =>
  (name: string) => ({ name, kind });

export const integer = ofKind('integer');
export const text = ofKind('text');
export const word = ofKind('word');
export const words = ofKind('words');
export const textId = ofKind('textId');
export const count = ofKind('count');
export const date = ofKind('date');
export const timestamp = ofKind('timestamp');
export const nullable = <C extends object>(column: C) => ({ ...column, nullable: true as const });

/** A column with what its dialect needs. Without `read`, the field has the value of the column. */
export type TableColumn<Dialect> = Dialect & {
  readonly field: string;
  readonly name: string;
  readonly nullable: boolean;
  readonly read?: (value: never) => unknown;
};

export interface Table<T, Dialect, Row> {
  readonly name: string;
  readonly columns: readonly TableColumn<Dialect>[];
  readonly derived: readonly { readonly name: string; readonly value: (item: never) => string | null }[];
  /** The names of the columns, separated by commas. */
  readonly list: string;
  /** `SELECT … FROM …`, with the columns that `fromRow` expects. */
  readonly select: string;
  /** An item as JSON text, as an SQL expression. */
  readonly json: string;
  readonly fromRow: (row: Row) => T;
}

interface Dialected<Dialect, Row> {
  readonly kinds: Readonly<Record<Kind, Dialect>>;
  readonly jsonOf: (columns: readonly TableColumn<Dialect>[]) => string;
  readonly valueIn: ValueIn<Row>;
}

export function tableOf<T, Dialect, Row>(
  { name, columns: definitions, derived = {} }: TableDefinition<T>,
  { kinds, jsonOf, valueIn }: Dialected<Dialect, Row>,
): Table<T, Dialect, Row> {
  const entries = Object.entries<{ name: string; kind: Kind; nullable?: true }>(definitions);
  const columns = entries.map(([field, { kind, nullable = false, ...column }]) => ({
    ...kinds[kind],
    ...column,
    field,
    nullable,
  }));
  const list = columns.map((column) => column.name).join(', ');
  return {
    name,
    columns,
    derived: Object.entries(derived).map(([column, value]) => ({ name: column, value })),
    list,
    select: `SELECT ${list} FROM ${name}`,
    json: jsonOf(columns),
    fromRow: rowReader(columns, valueIn),
  };
}

type ValueIn<Row> = (row: Row, name: string, index: number) => unknown;

export function rowReader<T, Row>(
  columns: readonly TableColumn<unknown>[],
  valueIn: ValueIn<Row>,
): (row: Row) => T {
  return (row) => {
    const item: Record<string, unknown> = {};
    for (const [i, { field, name, read, nullable }] of columns.entries()) {
      const value = valueIn(row, name, i);
      if (nullable && value === null) continue;
      item[field] = read ? read(value as never) : value;
    }
    return item as T;
  };
}
