import { type Scope, scopes } from '../../../contract/scope.ts';
import { listKeys } from '../keys.ts';
import type { Db } from '../pool/connection.ts';

/** How many rows of a kind are named: the first ones show what has happened. */
const NAMED_MAX = 3;
const CHUNK_ROWS = 1000;

/** What no version of this program writes, in tables that are as expected. Must run inside a transaction. Reads all orders that are placed, and all events. */
export async function contentProblems(sql: Db): Promise<string[]> {
  return [...(await wrongOrders(sql)), ...(await wrongKeys(sql)), ...(await wrongEvents(sql))];
}

async function wrongOrders(sql: Db): Promise<string[]> {
  const rows = await sql<{ id: bigint; pet_id: bigint; status: string | null }[]>`
    SELECT orders.id, pet_id, pets.status FROM orders LEFT JOIN pets ON pets.id = pet_id
    WHERE orders.status = 'placed' AND pets.status IS DISTINCT FROM 'pending' ORDER BY orders.id LIMIT ${NAMED_MAX}`;
  return rows.map(
    ({ id, pet_id, status }) => `order ${id} is placed, but its animal ${pet_id} is ${status ?? 'missing'}`,
  );
}

async function wrongKeys(sql: Db): Promise<string[]> {
  const isKnown = new Set<Scope>(scopes);
  const problems = (await listKeys(sql)).flatMap((key) => {
    const unknown = key.scopes.filter((scope) => !isKnown.has(scope));
    return unknown.length === 0 ? [] : [`the API key ${key.id} has an unknown scope: ${unknown.join(' ')}`];
  });
  return problems.slice(0, NAMED_MAX);
}

/** In the program, because older servers have no test for JSON that does not fail; in chunks, because there may be millions. */
async function wrongEvents(sql: Db): Promise<string[]> {
  const wrong: bigint[] = [];
  await sql`DECLARE contents CURSOR FOR SELECT id, content FROM events`;
  for (;;) {
    const rows = await sql<
      { id: bigint; content: string }[]
    >`FETCH ${sql.unsafe(`${CHUNK_ROWS}`)} FROM contents`;
    for (const { id, content } of rows) if (!isObject(content)) wrong.push(id);
    if (rows.length === 0 || wrong.length >= NAMED_MAX) break;
  }
  await sql`CLOSE contents`;
  return wrong.slice(0, NAMED_MAX).map((id) => `the content of event ${id} is not a JSON object`);
}

function isObject(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
