import {
  countStatement,
  KEY_SCOPES,
  MISSING_EVENTS,
  missingEvents,
  WRONG_CONTENT,
  wrongOrders,
  wrongRows,
  wrongScopes,
} from '../../content-problems.ts';
import type { Db } from '../pool/connection.ts';

const CHUNK_ROWS = 1000;

/** What no version of this program writes, in tables that are as expected. Must run inside a transaction. Reads all orders and all events. */
export async function contentProblems(sql: Db): Promise<string[]> {
  const problems: string[] = [];
  for (const kind of wrongOrders(['pets', 'removed_pets'])) {
    const [row] = await sql.unsafe(countStatement(kind));
    problems.push(...wrongRows(kind.what, row?.count, row?.first));
  }
  const [events] = await sql.unsafe(MISSING_EVENTS);
  return [
    ...problems,
    ...wrongScopes(await sql.unsafe(KEY_SCOPES)),
    ...missingEvents(events?.missing),
    ...(await wrongContents(sql)),
  ];
}

/** In the program, because older servers have no test for JSON that does not fail; in chunks, because there may be millions. */
async function wrongContents(sql: Db): Promise<string[]> {
  const wrong: bigint[] = [];
  await sql`DECLARE contents CURSOR FOR SELECT id, content FROM events ORDER BY id`;
  for (let isDone = false; !isDone; ) {
    const rows = await sql<
      { id: bigint; content: string }[]
    >`FETCH ${sql.unsafe(`${CHUNK_ROWS}`)} FROM contents`;
    for (const { id, content } of rows) if (!isObject(content)) wrong.push(id);
    isDone = rows.length === 0;
  }
  await sql`CLOSE contents`;
  return wrongRows(WRONG_CONTENT, wrong.length, wrong[0]);
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
