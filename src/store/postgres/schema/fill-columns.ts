import { setTimeout as sleep } from 'node:timers/promises';
import { foldText } from '../../../contract/folded-text.ts';
import { INT64_MIN } from '../../../contract/int64.ts';
import type { Db } from '../pool/connection.ts';
import { arrayOf } from '../table.ts';

/** Instances of the version before notice within this time that the schema is newer, and write no more. */
const NOTICED_MS = 1000;
const BATCH = 2000;

/**
 * Fills the columns that migrations have added to rows of earlier versions, in short transactions, so that an interruption loses nothing and locks
 * are short. What is filled already stays as it is, so that this can be repeated.
 */
export async function fillColumns(sql: Db): Promise<void> {
  await sleep(NOTICED_MS);
  await fillCompletions(sql);
  // Names of ASCII characters are folded as before, unless they were cut.
  const hasChanged = (column: string) =>
    `octet_length(${column}) <> char_length(${column}) OR char_length(${column}) > 600`;
  await foldAll(sql, { table: 'pets', from: 'name', to: 'folded_name', where: hasChanged('name') });
  await foldAll(sql, { table: 'removed_pets', from: 'name', to: 'folded_name', where: hasChanged('name') });
  await foldAll(sql, { table: 'orders', from: 'note', to: 'folded_note', where: 'note IS NOT NULL' });
}

interface Folding {
  readonly table: string;
  readonly from: string;
  readonly to: string;
  readonly where: string;
}

/** `from` is a text, and `to` its folded form. */
async function foldAll(sql: Db, { table, from, to, where }: Folding): Promise<void> {
  const next = `
    SELECT json_agg(ARRAY[id::text, text, folded] ORDER BY id) AS rows FROM (
      SELECT id, ${from} AS text, ${to} AS folded FROM ${table}
      WHERE id > $1::int8 AND (${to} IS NULL AND ${from} IS NOT NULL OR ${where}) ORDER BY id LIMIT ${BATCH}) AS batch`;
  const fold = `
    UPDATE ${table} SET ${to} = given.folded FROM unnest($1::int8[], $2::text[], $3::text[]) AS given (id, text, folded)
    WHERE ${table}.id = given.id AND ${table}.${from} = given.text`;
  for (let after = INT64_MIN; ; ) {
    const [found] = await sql.unsafe(next, [after]);
    const rows = (found?.rows ?? []) as [id: string, text: string, folded: string | null][];
    const last = rows.at(-1);
    if (!last) return;
    after = BigInt(last[0]);
    const wrong = rows.filter(([, text, folded]) => foldText(text) !== folded);
    const columns = [
      wrong.map(([id]) => id),
      wrong.map(([, text]) => text),
      wrong.map(([, text]) => foldText(text)),
    ];
    if (wrong.length > 0) await sql.unsafe(fold, columns.map(arrayOf));
  }
}

const EVENTS = 20_000;

/** By the event of the completion, or by the last change of the order where that event is no longer there. */
async function fillCompletions(sql: Db): Promise<void> {
  for await (const { after, last } of rangesOf(sql, 'events', EVENTS))
    await sql`
      UPDATE orders SET completed_at = events.at FROM events
      WHERE events.id > ${after} AND events.id <= ${last} AND type = 'order.completed'
        AND orders.id = substring(content FROM '^\\{"order":\\{"id":(-?[0-9]+),')::int8
        AND orders.pet_id = events.pet_id AND completed_at IS NULL`;
  for await (const { after, last } of rangesOf(sql, 'orders', BATCH))
    await sql`
      UPDATE orders SET completed_at = changed_at
      WHERE id > ${after} AND id <= ${last} AND status IN ('completed', 'returned') AND completed_at IS NULL`;
}

/** All rows of a table in ranges of ids, with so many rows each. */
async function* rangesOf(sql: Db, table: string, rows: number) {
  const next = `SELECT max(id) AS last FROM (SELECT id FROM ${table} WHERE id > $1::int8 ORDER BY id LIMIT ${rows}) AS range`;
  for (let after = INT64_MIN; ; ) {
    const [found] = await sql.unsafe<{ last: bigint | null }[]>(next, [after]);
    if (found?.last == null) return;
    yield { after, last: found.last };
    after = found.last;
  }
}
