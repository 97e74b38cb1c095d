import { setImmediate as nextTick } from 'node:timers/promises';
import { isByCompletion } from '../contract/bounded-filters.ts';
import type { Position } from '../contract/cursor.ts';
import { limits } from '../contract/limits.ts';
import { type PlacedItem, pageOfItems } from './list-page.ts';
import { descending, isSearchIn, orderList, type Selection } from './lists.ts';
import type { EventPage, EventQuery, OrderQuery, Page, PetQuery, StoredEvent } from './store.ts';

// How both stores find what no index finds: they look at a bounded number of rows, one after the other. A long text takes as much time as
// several rows, and counts as several: a statement ends after a fifth of its rows if their texts are long.

/** A text with more bytes is long. */
const ROW_BYTES = 200;
/** One of so many rows of a statement may be long. */
const ROWS_PER_LONG = 5;

export const isOrderSearch = (query: OrderQuery): boolean =>
  isByCompletion(query) || isSearchIn(orderList, query);

interface Search {
  /** Selects columns of the rows from where the search begins, in their order, with a LIMIT. */
  readonly select: (columns: string, limit: string) => string;
  readonly columns: string;
  readonly order: string;
  readonly matches: string;
  /** A text that is returned for a match, after the columns. */
  readonly item: string;
  /** What is returned for a row without a match that takes as much time as several, as the end of a CASE: its bytes, as a text. */
  readonly long?: string | undefined;
  /** How many rows it looks at, as an SQL expression. */
  readonly rows: number | string;
  /** How many matches are wanted, as an SQL expression. */
  readonly limit: string;
  /** Whether the next page begins after the last row that was looked at, and not with the row after that. */
  readonly endsAtLast?: true;
}

/**
 * A statement that looks at some rows until it has found one more than the limit: matches and long texts. If it has found fewer and there are more
 * rows, the last row of the result is the one where it has ended: its item is NULL.
 */
export function searchStatement(search: Search): string {
  const { select, columns, order, matches, item, long = '', rows, limit, endsAtLast } = search;
  const looked = select(`${columns}, CASE WHEN ${matches} THEN ${item} ${long} END AS item`, `${rows}`);
  const isShort = `(SELECT CASE WHEN count(*) <= ${limit} THEN 1 ELSE 0 END FROM found)`;
  const ended = select(`${columns}, NULL`, `${isShort} OFFSET ${rows}${endsAtLast ? ' - 1' : ''}`);
  return `
    WITH found AS MATERIALIZED (SELECT * FROM (${looked}) AS looked WHERE item IS NOT NULL LIMIT ${limit} + 1)
    SELECT * FROM found UNION ALL SELECT * FROM (${ended}) AS ended ORDER BY ${order}`;
}

/** The statement of a search in a list. It looks at fewer rows for more words, so that the longest text costs little more than one word. */
export function searchOf(
  { json: item }: { readonly json: string },
  { order: columns, matches, words, text, limit }: Selection,
  select: Search['select'],
  most: number,
): string {
  const [order, rows] = [descending(columns), words ? `${most} / ${words}` : most];
  const bytes = `octet_length(${text})`;
  const long = words && `WHEN ${bytes} > ${ROW_BYTES} / ${words} THEN CAST(${bytes} * ${words} AS text)`;
  return searchStatement({ select, columns: columns.join(', '), order, matches, item, long, rows, limit });
}

/** The matches in some rows, and where the next rows begin; undefined if there are no more. */
export interface Found {
  readonly items: readonly PlacedItem[];
  readonly end?: Position | undefined;
  /** Of the long texts without a match, for each word. */
  readonly bytes: number;
}

/** Reads rows of the columns by which the list is ordered, the id last, and then the item as JSON, or the bytes of a long text. */
export function foundIn(rows: readonly (readonly unknown[])[], limit: number): Found {
  const items: PlacedItem[] = [];
  let end: Position | undefined;
  let bytes = 0;
  for (const [i, row] of rows.entries()) {
    const [item, id, key] = row.toReversed() as [string | null, bigint, (bigint | Date)?];
    const position = key === undefined ? { id } : { id, key: `${Number(key)}` };
    if (item === null || i === limit) end = position;
    if (!item?.startsWith('{')) bytes += Number(item);
    // After long texts, the next statement begins with the last row of this one.
    else if (i < limit || items.length === limit) items.push({ position, json: item });
  }
  return { items, end, bytes };
}

/** A page of the matches. Looks at some rows at a time, so that other requests get their turn in between. */
export async function searchInSteps<Query extends Pick<PetQuery, 'limit' | 'from'>>(
  query: Query,
  rows: number,
  look: (query: Query) => Promise<Found>,
): Promise<Page> {
  const { limit } = query;
  const items: PlacedItem[] = [];
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
