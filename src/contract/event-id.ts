import { CHECK_BYTES, verified, withChecksum } from './cursor.ts';

const BYTES = 24;
const FORMAT = /^[\w-]{38}$/;
const SCOPE = 'event';

/**
 * Where an event is in the feed: events are numbered in the order of their commits. The time tells it from another event with the same
 * number, which a store that was restored from a backup can have.
 */
export interface EventPosition {
  /**
   * 0, except in a position that a reader got from PostgreSQL before events were numbered: then this is the transaction that wrote the
   * event, and `id` is its place of that time. The store still finds it.
   */
  readonly transaction: bigint;
  readonly id: bigint;
  readonly at: Date;
}

/** The id of an event in the API, by which a reader resumes. */
export function eventId({ transaction, id, at }: EventPosition): string {
  const bytes = Buffer.allocUnsafe(BYTES + CHECK_BYTES);
  bytes.writeBigInt64BE(transaction);
  bytes.writeBigInt64BE(id, 8);
  bytes.writeBigInt64BE(BigInt(at.getTime()), 16);
  return withChecksum(SCOPE, bytes);
}

/** The position in a text that `eventId` returned; undefined for any other text. */
export function parseEventId(text: string): EventPosition | undefined {
  const content = FORMAT.test(text) ? verified(SCOPE, text) : undefined;
  if (!content) return undefined;
  const [transaction, id, ms] = [0, 8, 16].map((at) => content.readBigInt64BE(at)) as [
    bigint,
    bigint,
    bigint,
  ];
  const at = new Date(Number(ms));
  return Number.isNaN(at.getTime()) ? undefined : { transaction, id, at };
}

/**
 * Whether the event at `a` is after `b` in the feed. Undefined is the position before the first event. A position from before events were
 * numbered is compared only with those of events that the store returns after it.
 */
export const isAfter = (a: EventPosition, b: EventPosition | undefined): boolean =>
  b?.transaction !== 0n || a.id > b.id;

/** The later one of two positions. */
export const later = (
  a: EventPosition | undefined,
  b: EventPosition | undefined,
): EventPosition | undefined => (b && isAfter(b, a) ? b : a);
