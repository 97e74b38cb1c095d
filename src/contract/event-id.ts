import { CHECK_BYTES, verified, withChecksum } from './cursor.ts';

const BYTES = 24;
const FORMAT = /^[\w-]{38}$/;
const SCOPE = 'event';

/**
 * Where an event is in the feed: events are numbered in the order of their commits. The time tells it from another event with the same
 * number, which a store that was restored from a backup can have.
 */
export interface EventPosition {
  readonly id: bigint;
  readonly at: Date;
}

/** The id of an event in the API, by which a reader resumes. Its first eight bytes are 0. */
export function eventId({ id, at }: EventPosition): string {
  const bytes = Buffer.allocUnsafe(BYTES + CHECK_BYTES);
  bytes.writeBigInt64BE(0n);
  bytes.writeBigInt64BE(id, 8);
  bytes.writeBigInt64BE(BigInt(at.getTime()), 16);
  return withChecksum(SCOPE, bytes);
}

/** No event has this number. */
const UNKNOWN = 0n;

/**
 * The position in a text that `eventId` returned; undefined for any other text. The ids of early versions have other first bytes: they are
 * the position of an event that no store has.
 */
export function parseEventId(text: string): EventPosition | undefined {
  const content = FORMAT.test(text) ? verified(SCOPE, text) : undefined;
  if (!content) return undefined;
  const at = new Date(Number(content.readBigInt64BE(16)));
  if (Number.isNaN(at.getTime())) return undefined;
  return { id: content.readBigInt64BE(0) === 0n ? content.readBigInt64BE(8) : UNKNOWN, at };
}

/** Whether the event at `a` is after `b` in the feed. Undefined is the position before the first event. */
export const isAfter = (a: EventPosition, b: EventPosition | undefined): boolean => !b || a.id > b.id;

export const later = (
  a: EventPosition | undefined,
  b: EventPosition | undefined,
): EventPosition | undefined => (b && isAfter(b, a) ? b : a);
