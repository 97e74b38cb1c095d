import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { type Step, type StepResult, type StepSizes, searchStatement } from '../../search.ts';
import type { Page } from '../../store.ts';
import { rowStatement, type Table } from '../table.ts';
import { limitOf, newestOf } from './pages.ts';

/** A step blocks the event loop for a millisecond or two. */
export const STEP_SIZES: StepSizes = { first: 256, most: 2048, bytes: 256 * 1024 };

/** What to look at and what to find, written with the placeholders that `parameter` returns. */
interface Search {
  readonly ranges: readonly string[];
  readonly matches: string;
  /** The text that is looked at. */
  readonly text: string;
  /** The number by which the list is ordered, unless that is the id. */
  readonly key?: string;
}

type FoundRow = [id: bigint, key: bigint, json: string | null, bytes: bigint | null];
type PositionOf = (id: bigint, key: bigint) => NonNullable<Page['next']>;

/** Takes steps of searches. Each combination of filters is prepared once. */
export function searchSteps<T, Query>(
  db: DatabaseSync,
  { name, json }: Table<T>,
  describe: (query: Query, parameter: (value: SQLInputValue) => string) => Search,
  positionOf: PositionOf = (id) => ({ id }),
): (query: Query, step: Step) => StepResult {
  const prepared = new Map<string, StatementSync>();
  return (query, { from, rows, limit }) => {
    const values: SQLInputValue[] = [limit, rows];
    const parameter = (value: SQLInputValue) => `?${values.push(value)}`;
    const { ranges, matches, text, key = 'id' } = describe({ ...query, from }, parameter);
    const order = key === 'id' ? 'id DESC' : `${key} DESC, id DESC`;
    const sql = searchStatement({
      rowsWith: rowsWith(name),
      candidates: newestOf(name, ranges, order),
      order,
      matches,
      text,
      found: ['id', key, `${json} AS json`, 'NULL AS bytes'],
      stopped: (bytes) => ['id', key, 'NULL', bytes],
      limit: '?1',
      rows: limitOf('?2'),
    });
    const statement = prepared.get(sql) ?? rowStatement(db, sql);
    prepared.set(sql, statement);
    return resultOf(statement.all(...values) as unknown as FoundRow[], positionOf);
  };
}

function resultOf(rows: readonly FoundRow[], positionOf: PositionOf): StepResult {
  const items = rows.flatMap(([id, key, json]) =>
    json === null ? [] : [{ position: positionOf(id, key), json }],
  );
  const last = rows.at(-1);
  if (!last || last[2] !== null) return { items };
  const [id, key, , bytes] = last;
  return { items, end: { next: positionOf(id, key), bytes: Number(bytes) } };
}

export const rowsWith = (table: string) => (ids: string) => `${table} WHERE id IN (SELECT * FROM (${ids}))`;

/** The condition that a folded text contains another one. */
export const contains = (column: string, folded: string): string => `instr(${column}, ${folded}) > 0`;
