import { setImmediate as nextTick } from 'node:timers/promises';
import { isByCompletion } from '../contract/bounded-filters.ts';
import type { Position } from '../contract/cursor.ts';
import { limits } from '../contract/limits.ts';
import { type PlacedItem, pageOfItems } from './list-page.ts';
import type { EventPage, EventQuery, OrderQuery, Page, StoredEvent } from './store.ts';

// How both stores find what no index finds: they look at a bounded number of rows, one after the other.

export const isOrderSearch = (query: OrderQuery): boolean =>
  query.note !== undefined || isByCompletion(query);

/** The next rows to look at, and how many matches are wanted. */
export interface Step {
  readonly from: Position | undefined;
  readonly rows: number;
  readonly limit: number;
}

export interface StepResult {
  /** The matches: one more than wanted at most, and then the step has ended there. */
  readonly items: readonly PlacedItem[];
  /** Where the next step begins, and how many bytes of text were looked at; undefined if there are no more rows. */
  readonly end?: { readonly next: Position; readonly bytes: number } | undefined;
}

/** How many rows a step looks at. */
export interface StepSizes {
  /** In the first step, when it is not known how long the texts are. */
  readonly first: number;
  /** In every other step at most; fewer if their texts are expected to exceed `bytes`. */
  readonly most: number;
  readonly bytes: number;
}

/**
 * A page of what is found in steps, between which other requests get their turn. The rows that a page looks at are bounded, and so is
 * the length of their texts, whatever it is.
 */
export async function searchInSteps(
  { limit, from }: { readonly limit: number; readonly from?: Position | undefined },
  sizes: StepSizes,
  take: (step: Step) => Promise<StepResult>,
): Promise<Page> {
  const items: PlacedItem[] = [];
  let [looked, bytes, rows] = [0, 0, sizes.first];
  for (let next = from; ; ) {
    const { items: found, end } = await take({ from: next, rows, limit: limit - items.length });
    items.push(...found);
    if (items.length > limit || !end) return pageOfItems(items, limit);
    next = end.next;
    looked += rows;
    bytes += end.bytes;
    if (looked >= limits.lookedAt || bytes >= limits.lookedAtBytes) return pageOfItems(items, limit, next);
    const fitting = Math.floor((sizes.bytes * looked) / Math.max(bytes, 1));
    rows = Math.max(1, Math.min(sizes.most, fitting, limits.lookedAt - looked));
    await nextTick();
  }
}

/** A page of events that is found in steps, each of which looks at `most` events at most. */
export async function searchEventsInSteps(
  query: EventQuery,
  most: number,
  take: (query: EventQuery, rows: number) => Promise<EventPage>,
): Promise<EventPage> {
  const events: StoredEvent[] = [];
  for (let { after } = query, looked = 0; ; ) {
    const rows = Math.min(most, limits.lookedAt - looked);
    const page = await take({ ...query, after, limit: query.limit - events.length }, rows);
    events.push(...page.events);
    looked += rows;
    const { next } = page;
    if (!next || events.length === query.limit || looked >= limits.lookedAt) return { events, next };
    after = next;
    await nextTick();
  }
}

/** What a search looks at, and what it returns of that, in SQL that both databases understand. */
interface Search {
  /** The rows with the ids that a SELECT returns, each read by its id, as a FROM clause. */
  readonly rowsWith: (ids: string) => string;
  /** Selects columns of rows in the order of the list, at most `limit` of them: an expression, perhaps with an OFFSET. */
  readonly candidates: (columns: string, limit: string) => string;
  /** The order of the list. */
  readonly order: string;
  readonly matches: string;
  /** The columns to return of what is found. */
  readonly found: readonly string[];
  /** The same columns of the row where the search has stopped. With `bytes` in it, the sum of the lengths of `text` in the rows before. */
  readonly stopped: (bytes: string) => readonly string[];
  readonly text?: string;
  /** Whether the row where it has stopped is the last one that was looked at, and not the first one that was not. */
  readonly stopsAtLast?: boolean;
  /** How many matches are wanted, and how many rows are looked at, as SQL expressions. */
  readonly limit: string;
  readonly rows: string;
}

/**
 * The statement of one step: it looks at candidates, one after the other, until it has found one more than the limit. If it has found fewer,
 * the last row is the one where it has stopped, unless there are no more candidates.
 */
export function searchStatement(search: Search): string {
  const { rowsWith, candidates, order, matches, found, stopped, text, stopsAtLast, limit, rows } = search;
  const looked = candidates(`id, ${matches} AS is_match`, rows);
  const ifShort = (count: string) =>
    `(SELECT CASE WHEN count(*) <= ${limit} THEN ${count} ELSE 0 END FROM found)`;
  const stop = candidates('id', `${ifShort('1')} OFFSET ${rows}${stopsAtLast ? ' - 1' : ''}`);
  const bytes =
    text === undefined
      ? '0'
      : `(SELECT sum(length) FROM (${candidates(`id, octet_length(${text}) AS length`, ifShort(rows))}) AS looked_at)`;
  return `
    WITH found AS MATERIALIZED (SELECT id FROM (${looked}) AS candidate WHERE is_match LIMIT ${limit} + 1)
    SELECT * FROM (
      SELECT ${found.join(', ')} FROM ${rowsWith('SELECT id FROM found')}
      UNION ALL SELECT ${stopped(bytes).join(', ')} FROM ${rowsWith(stop)}
    ) AS item ORDER BY ${order}`;
}
