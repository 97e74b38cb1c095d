import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { LARGE_BODY } from '../../../contract/json-writer.ts';
import type { Pet } from '../../../contract/pet.ts';
import {
  CANDIDATES_MAX,
  merged,
  namePageStatement,
  pageOf,
  pageOfCandidates,
  statusesOf,
} from '../../list-page.ts';
import type { OrderQuery, Page, PageQuery, PetQuery } from '../../store.ts';
import { rowStatement, type Table } from '../table.ts';

type Query = PageQuery<string> & Pick<OrderQuery, 'petId'>;

/** The condition of each filter that a query may have, and the value to bind to it. */
const filters: readonly {
  readonly sql: string;
  readonly value: (query: Query) => SQLInputValue | undefined;
}[] = [
  { sql: 'status = ?', value: ({ status }) => status },
  { sql: 'pet_id = ?', value: ({ petId }) => petId },
  { sql: 'id <= ?', value: ({ from }) => from?.id },
  { sql: 'id IN (SELECT value FROM json_each(?))', value: ({ ids }) => ids && jsonArray(ids) },
];

/**
 * A limit that is a parameter. As a plain one, SQLite would plan by its value and prepare the statement again on every call, half
 * the cost of a page; as text, each limit would be another statement to keep.
 */
const limitOf = (parameter: string): string => `${parameter} + 0`;

/** Reads pages of a table, newest first. Each combination of filters is prepared once. */
export function pageReader<T>(db: DatabaseSync, table: Table<T>): (query: Query) => Page {
  const prepared: StatementSync[] = [];

  function prepare(query: Query): StatementSync {
    const given = filters.filter(({ value }) => value(query) !== undefined).map(({ sql }) => sql);
    const where = given.length === 0 ? '' : `WHERE ${given.join(' AND ')}`;
    return pageStatement(db, table, `${table.select} ${where} ORDER BY id DESC LIMIT ${limitOf('?')}`);
  }

  return (query) => {
    const values: SQLInputValue[] = [];
    let combination = 0;
    for (const [place, { value }] of filters.entries()) {
      const given = value(query);
      if (given === undefined) continue;
      combination |= 1 << place;
      values.push(given);
    }
    values.push(query.limit + 1);
    const statement = prepared[combination] ?? prepare(query);
    prepared[combination] = statement;
    return readPage(statement, values, query);
  };
}

/** Reads pages of animals by name, by category or both. Each combination of filters is prepared once. */
export function searchReader(db: DatabaseSync, table: Table<Pet>): (query: PetQuery) => Page {
  const prepared = new Map<string, StatementSync>();
  const prepare = (sql: string, create: () => StatementSync): StatementSync => {
    const statement = prepared.get(sql) ?? create();
    prepared.set(sql, statement);
    return statement;
  };

  return (query) => {
    const { limit, name, categoryId } = query;
    const values: SQLInputValue[] = [];
    const parameter = (value: SQLInputValue) => `?${values.push(value)}`;
    const isOneOf = (ids: readonly bigint[]) =>
      `id IN (SELECT value FROM json_each(${parameter(jsonArray(ids))}))`;
    const count = (rows: number) => limitOf(parameter(rows));
    const dialect = { list: table.list, parameter, count, isOneOf };
    if (name === undefined) {
      const sql = categoryPage(query, dialect);
      return readPage(
        prepare(sql, () => pageStatement(db, table, sql)),
        values,
        query,
      );
    }
    if (categoryId === undefined) {
      const sql = namePageStatement({ ...query, name }, dialect);
      return readPage(
        prepare(sql, () => pageStatement(db, table, sql, 'max(folded_name)')),
        values,
        query,
      );
    }
    const inCategory = parameter(categoryId);
    const sql = `SELECT id, folded_name, CASE WHEN category_id = ${inCategory} THEN ${table.json} END
      FROM (${namePageStatement({ ...query, name }, dialect, CANDIDATES_MAX + 1)})`;
    const rows = prepare(sql, () => rowStatement(db, sql)).all(...values) as unknown as CandidateRow[];
    const candidates = rows.map(([id, nameKey, json]) => ({ position: { id, nameKey }, json }));
    return pageOfCandidates(candidates, limit, CANDIDATES_MAX);
  };
}

/** A page by category, newest first. It uses one index, on (category_id, status, id), and merges at most three ranges of it. */
function categoryPage(
  query: PetQuery,
  { list, parameter, count, isOneOf }: Parameters<typeof namePageStatement>[1],
): string {
  const { limit, from, ids, categoryId } = query;
  const conditions = [`category_id = ${parameter(categoryId as bigint)}`];
  if (from !== undefined) conditions.push(`id <= ${parameter(from.id)}`);
  if (ids !== undefined) conditions.push(isOneOf(ids));
  const end = `ORDER BY id DESC LIMIT ${count(limit + 1)}`;
  const parts = statusesOf(query).map(
    (status) => `SELECT ${list} FROM pets WHERE ${conditions.join(' AND ')} AND status = '${status}' ${end}`,
  );
  return merged(parts, end);
}

type CandidateRow = [id: bigint, nameKey: string, json: string | null];

/** A statement for the items of a SELECT, in its order, as one JSON array: a long one as bytes, which need no decoding. */
const pageStatement = <T>(
  db: DatabaseSync,
  { json }: Table<T>,
  select: string,
  nameKey = 'NULL',
): StatementSync =>
  rowStatement(
    db,
    `SELECT CASE WHEN octet_length(page) > ${LARGE_BODY} THEN CAST(page AS BLOB) ELSE page END, items, folded_name
     FROM (SELECT json_group_array(${json}) AS page, count(*) AS items, ${nameKey} AS folded_name FROM (${select}))`,
  );

function readPage(statement: StatementSync, values: readonly SQLInputValue[], { limit }: Query): Page {
  const [page, items, nameKey] = statement.get(...values) as unknown as [
    string | Uint8Array<ArrayBuffer>,
    bigint,
    string | null,
  ];
  const json = typeof page === 'string' ? page : Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  return pageOf({ json, count: Number(items), nameKey: nameKey ?? undefined }, limit);
}

const jsonArray = (ids: readonly bigint[]): string => `[${ids.join()}]`;
