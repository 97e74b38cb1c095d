import type { Position } from '../../../contract/cursor.ts';
import { limits } from '../../../contract/limits.ts';
import { type Step, type StepResult, type StepSizes, searchInSteps, searchStatement } from '../../search.ts';
import type { Page } from '../../store.ts';
import type { Db } from '../pool/connection.ts';
import type { Table } from '../table.ts';
import type { Value } from './all-rows.ts';
import type { Range } from './pages.ts';

/** How many rows a step looks at. */
const ROWS = '$2::int8';

/**
 * What a search looks at: the rows of ranges, in one order. The constant limit tells the planner how few they are; the other one keeps several
 * ranges, which have to be sorted, from being read any further than a step looks.
 */
export const candidatesIn =
  (table: string, ranges: readonly Range[], rows = ROWS) =>
  (columns: string, limit: string): string => {
    const most = limits.lookedAt + 1;
    const parts = ranges.map(
      ({ where, order }, i) => `SELECT * FROM (
        SELECT * FROM (SELECT * FROM ${table} WHERE ${where} ORDER BY ${order} LIMIT ${most}) AS most${i}
        ORDER BY ${order} LIMIT ${rows} + 1) AS range${i}`,
    );
    const all = ranges.length === 1 ? ranges[0]?.order : 'id DESC';
    return `SELECT ${columns} FROM (${parts.join(' UNION ALL ')}) AS few ORDER BY ${all} LIMIT ${limit}`;
  };

/** Adds a value and returns its placeholder. */
export type Parameter = (value: Value) => string;

/** What to look at and what to find, written with the placeholders that a `Parameter` returns. */
interface Search {
  readonly candidates: (columns: string, limit: string) => string;
  readonly matches: string;
  /** The text that is looked at. */
  readonly text: string;
  /** The number by which the list is ordered, unless that is the id. */
  readonly key?: string;
  readonly positionOf?: (id: bigint, key: bigint) => Position;
}

/** Each step is a round trip. */
const STEP_SIZES: StepSizes = { first: 2000, most: limits.lookedAt, bytes: limits.lookedAtBytes };

/** A page of what no index finds, after looking at a bounded number of rows. */
export function searchPage<T>(
  sql: Db,
  table: Table<T>,
  query: { readonly limit: number; readonly from?: Position | undefined },
  describe: (parameter: Parameter, from: Position | undefined) => Search,
): Promise<Page> {
  return searchInSteps(query, STEP_SIZES, (step) => takeStep(sql, table, step, describe));
}

async function takeStep<T>(
  sql: Db,
  { name, json }: Table<T>,
  { from, rows, limit }: Step,
  describe: (parameter: Parameter, from: Position | undefined) => Search,
): Promise<StepResult> {
  const values: Value[] = [limit, rows];
  const parameter = (value: Value) => `$${values.push(value)}`;
  const search = describe(parameter, from);
  const { candidates, matches, text, key = 'id', positionOf = (id) => ({ id }) } = search;
  const statement = searchStatement({
    rowsWith: rowsWith(name),
    candidates,
    order: 'place DESC, id DESC',
    matches,
    text,
    found: ['id', `${key} AS place`, `${json} AS json`, '0::int8 AS bytes'],
    stopped: (bytes) => ['id', key, 'NULL', `coalesce(${bytes}, 0)`],
    limit: '$1::int8',
    rows: ROWS,
  });
  const found = await sql.unsafe(statement, values, { prepare: true });
  const items = found.flatMap(({ id, place, json }) =>
    json === null ? [] : [{ position: positionOf(id, place), json }],
  );
  const stop = found.find((row) => row.json === null);
  return {
    items,
    end: stop && { next: positionOf(stop.id, stop.place), bytes: Number(stop.bytes) },
  };
}

/** Not by a join, for which the planner may read the whole table. */
export const rowsWith =
  (table: string) =>
  (ids: string): string =>
    `(${ids}) AS wanted (wanted_id) CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE id = wanted_id OFFSET 0) AS one`;

/** The condition that a folded text contains another one. */
export const contains = (column: string, folded: string): string => `strpos(${column}, ${folded}) > 0`;
