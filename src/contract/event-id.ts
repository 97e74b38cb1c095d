import { CHECK_BYTES, verified, withChecksum } from './cursor.ts';

const BYTES = 24;
const FORMAT = /^[\w-]{38}$/;
const SCOPE = 'event';

/**
 * Where an event is in the feed: events are in ascending order of transaction and id. The time tells it from another event in the
 * same place, which a store that was restored from a backup can have.
 */
export interface EventPosition {
  /** The number of the transaction that wrote it; 0 in a store with one writer. */
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

/** Whether `a` is after `b` in the feed. Undefined is the position before the first event. */
export function isAfter(a: EventPosition, b: EventPosition | undefined): boolean {
  if (!b || a.transaction !== b.transaction) return !b || a.transaction > b.transaction;
  return a.id > b.id;
}

/** The later one of two positions. */
export const later = (
  a: EventPosition | undefined,
  b: EventPosition | undefined,
): EventPosition | undefined => (b && isAfter(b, a) ? b : a);
