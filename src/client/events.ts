import { Call, MAX_TIMER_MS, runCall } from './call.ts';
import { toQuery } from './encode.ts';
import { AnimalStoreError, rejectUnknown } from './errors.ts';
import { EventParser } from './event-parser.ts';
import type { Event } from './models.ts';
import type { EventQuery } from './queries.ts';
import { list } from './requests.ts';
import { parsePart } from './response.ts';
import { backoffMs, isTemporary } from './retry.ts';
import type { Transport } from './transport.ts';
import type { CallOptions, FollowQuery, StreamOptions } from './types.ts';

/** The service sends something every 15 seconds: a connection that is silent for longer is lost, whether or not it is closed. */
const SILENCE_MS = 45_000;
/** A connection that lasted this long was no failure. */
const STABLE_MS = 5000;

/**
 * Yields events as they happen. When the connection ends, it continues after the last event that it has received. It fails only when the
 * service refuses it, or after more than `maxRetries` failed connections in a row.
 */
export async function* follow(
  transport: Transport,
  { after, petId, type, keyId, ...unknown }: FollowQuery,
  { onLiveness, ...options }: StreamOptions,
): AsyncGenerator<Event, void, undefined> {
  rejectUnknown('query', Object.keys(unknown));
  const { signal, timeoutMs, maxRetries } = transport.settings(options);
  const filter = { petId, type, keyId };
  /** An error of the callback ends the loop, even if it looks like a failure of the connection. */
  let hasCallbackThrown = false;
  const reportLiveness = (isAlive: boolean) => {
    if (signal?.aborted || hasCallbackThrown) return;
    try {
      onLiveness?.(isAlive);
    } catch (error) {
      hasCallbackThrown = true;
      throw error;
    }
  };
  let position = after;
  /** Whether there was no event yet, and so no position, when the first connection began. */
  let wasEmpty = false;
  for (let failures = 0; ; failures++) {
    const connection = new Call({ signal, timeoutMs: Number.POSITIVE_INFINITY, maxRetries: 0 });
    const within = <T>(ms: number, arriving: Promise<T>) =>
      connection.within(ms, `Nothing arrived for ${ms} ms.`, arriving);
    let acceptedAt = Number.POSITIVE_INFINITY;
    let retryAfterMs = 0;
    try {
      const url = new URL(transport.url('/events') + toQuery({ after: position, ...filter }));
      const { headers, parts } = await within(timeoutMs, transport.receive(connection, url));
      acceptedAt = performance.now();
      reportLiveness(true);
      const begin = headers.get('last-event-id') ?? undefined;
      if (wasEmpty && position === undefined && begin !== undefined) {
        const wanted = await firstEvent(transport, filter, options);
        if (wanted) yield wanted;
        position = (wanted ?? (await firstEvent(transport, {}, options)))?.id;
        continue;
      }
      position ??= begin;
      wasEmpty = position === undefined;
      const parser = new EventParser();
      for (;;) {
        const { done, value } = await within(SILENCE_MS, parts.next());
        if (done) break;
        reportLiveness(true);
        for (const { id, data } of parser.push(value)) {
          failures = 0;
          yield parsePart({ status: 200, headers, requestId: connection.requestId }, data) as Event;
          position = id;
        }
      }
    } catch (error) {
      if (hasCallbackThrown || !(error instanceof AnimalStoreError) || !mayContinue(error)) throw error;
      if (isStable(acceptedAt)) failures = 0;
      if (failures >= maxRetries) throw error;
      retryAfterMs = error.retryAfterMs ?? 0;
    } finally {
      connection.close();
      connection.abort('aborted', 'The loop over the events has ended.');
      reportLiveness(false);
    }
    if (isStable(acceptedAt)) failures = 0;
    const pauseMs = retryAfterMs + backoffMs(failures);
    await runCall({ signal, timeoutMs: MAX_TIMER_MS, maxRetries: 0 }, (call) => call.pause(pauseMs));
  }
}

/** The oldest event that matches, if it is on the first page. */
async function firstEvent(
  transport: Transport,
  filter: EventQuery,
  options: CallOptions,
): Promise<Event | undefined> {
  const { items } = await list<Event>(transport, '/events', { ...filter, limit: 1 }, options);
  return items[0];
}

const isStable = (acceptedAt: number): boolean => performance.now() - acceptedAt > STABLE_MS;

/** Lost connections and pauses of the service pass; a refusal does not. */
const mayContinue = (error: AnimalStoreError): boolean => error.code === 'timeout' || isTemporary(error);
