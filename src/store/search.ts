import { setImmediate as nextTick } from 'node:timers/promises';
import { isByCompletion } from '../contract/bounded-filters.ts';
import type { Position } from '../contract/cursor.ts';
import { limits } from '../contract/limits.ts';
import { type PlacedItem, pageOfItems } from './list-page.ts';
import { descending, isSearchIn, orderList, type Selection } from './lists.ts';
import type { EventPage, EventQuery, OrderQuery, Page, PetQuery, StoredEvent } from './store.ts';

// How both stores find what no index finds: a request looks at one row after the other, in steps of one statement, so that other requests get
// their turn in between. What it looks at is bounded in rows and, because a long text takes as much time as several rows, in bytes:
// - A step looks at a number of rows, divided by the number of words to look for.
// - A step returns long texts as well as matches, so that its limit ends it: that of the page in the first step, then a fifth of the rows.
// - A request has no further step after `limits.lookedAt` rows. The bytes of long texts count as rows.

/** A text with more bytes is long. Each word to look for counts them again. */
const ROW_BYTES = 200;
/** One of so many rows of a step may have a long text. */
const ROWS_PER_LONG = 5;

export const isOrderSearch = (query: OrderQuery): boolean =>
  isByCompletion(query) || isSearchIn(orderList, query);

interface Search {
  /** Selects columns of the rows from where the search begins, in their order, with a LIMIT. */
  readonly select: (columns: string, limit: string) => string;
  readonly columns: string;
  readonly order: string;
  /** What is found out about a row, as columns after the others. The last one is `item`: NULL for a row that is not returned. */
  readonly found: string;
  /** The values of these columns in the row where the search has ended. To compute them would take as long as the search. */
  readonly ended: string;
  /** How many rows it looks at, as an SQL expression. */
  readonly rows: number | string;
  /** How many rows are wanted, as an SQL expression. */
  readonly limit: string;
  /** Whether the next page begins after the last row that was looked at, and not with the row after that. */
  readonly endsAtLast?: true;
}

/**
 * A statement that looks at some rows until it can return one more than the limit. If it cannot and there are more rows, the last row of the result
 * is the one where it has ended: its item is NULL.
 */
export function searchStatement(search: Search): string {
  const { select, columns, order, found, rows, limit, endsAtLast } = search;
  const looked = select(`${columns}, ${found}`, `${rows}`);
  const isShort = `(SELECT CASE WHEN count(*) <= ${limit} THEN 1 ELSE 0 END FROM found)`;
  const ended = select(`${columns}, ${search.ended}`, `${isShort} OFFSET ${rows}${endsAtLast ? ' - 1' : ''}`);
  return `
    WITH found AS MATERIALIZED (SELECT * FROM (${looked}) AS looked WHERE item IS NOT NULL LIMIT ${limit} + 1)
    SELECT * FROM found UNION ALL SELECT * FROM (${ended}) AS ended ORDER BY ${order}`;
}

/** The statement of a step in a list. The item of a long text without a match is empty. */
export function searchOf(
  { json }: { readonly json: string },
  { order, matches, words, text, limit }: Selection,
  select: Search['select'],
  most: number,
): string {
  const bytes = words ? `octet_length(${text}) * ${words}` : '0';
  return searchStatement({
    select,
    columns: order.join(', '),
    order: descending(order),
    found: `${bytes} AS bytes, CASE WHEN ${matches} THEN ${json} WHEN ${bytes} > ${ROW_BYTES} THEN '' END AS item`,
    ended: '0, NULL',
    rows: words ? `${most} / ${words}` : most,
    limit,
  });
}

/** The matches in the rows of a step, and where the next step begins; undefined if there are no more. */
export interface Found {
  readonly items: readonly PlacedItem[];
  readonly end?: Position | undefined;
  /** How many bytes were looked through in the rows that the step has returned. */
  readonly bytes: number;
}

/** Reads rows of the columns by which the list is ordered, the id last, and then of the bytes and the item. */
export function foundIn(rows: readonly (readonly unknown[])[], limit: number): Found {
  const items: PlacedItem[] = [];
  let end: Position | undefined;
  let looked = 0;
  for (const [i, row] of rows.entries()) {
    const [json, bytes, id, key] = row.toReversed() as [string | null, unknown, bigint, (bigint | Date)?];
    const position = key === undefined ? { id } : { id, key: `${Number(key)}` };
    looked += Number(bytes);
    if (json === null || i === limit) end = position;
    // After long texts, the next step begins with the last row of this one.
    if (json && (i < limit || items.length === limit)) items.push({ position, json });
  }
  return { items, end, bytes: looked };
}

/** A page of the matches. */
export async function searchInSteps<Query extends Pick<PetQuery, 'limit' | 'from'>>(
  query: Query,
  rows: number,
  look: (query: Query) => Promise<Found>,
): Promise<Page> {
  const { limit } = query;
  const items: PlacedItem[] = [];
  // The first step ends when it has filled the page. It often does.
  for (let { from } = query, looked = 0, most = limit; ; most = Math.max(limit, rows / ROWS_PER_LONG)) {
    const found = await look({ ...query, from, limit: most });
    items.push(...found.items);
    from = found.end;
    looked += Math.max(rows, found.bytes / ROW_BYTES);
    if (!from || items.length > limit || looked >= limits.lookedAt) return pageOfItems(items, limit, from);
    await nextTick();
  }
}

export async function searchEventsInSteps(
  query: EventQuery,
  rows: number,
  look: (query: EventQuery) => Promise<EventPage>,
): Promise<EventPage> {
  const { limit } = query;
  const events: StoredEvent[] = [];
  for (let { after } = query, looked = rows; ; looked += rows) {
    const page = await look({ ...query, after, limit: limit - events.length });
    events.push(...page.events);
    after = page.next;
    if (!after || events.length === limit || looked >= limits.lookedAt) return { events, next: after };
    await nextTick();
  }
}
