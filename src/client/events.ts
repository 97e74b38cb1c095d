import { Call, MAX_TIMER_MS, notify, runCall } from './call.ts';
import { toQuery } from './encode.ts';
import { AnimalStoreError, rejectUnknown } from './errors.ts';
import { EventParser } from './event-parser.ts';
import type { Event } from './models.ts';
import type { EventQuery } from './queries.ts';
import { list } from './requests.ts';
import { parsePart } from './response.ts';
import { backoffMs, isTemporary } from './retry.ts';
import type { Transport } from './transport.ts';
import type { FollowQuery, StreamOptions } from './types.ts';

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
  const { signal, timeoutMs, maxRetries, hooks } = transport.settings(options);
  const filter = { petId, type, keyId };
  const reportLiveness = (isAlive: boolean) => {
    if (!signal?.aborted) void notify(onLiveness, isAlive);
  };
  /** The oldest event that matches, if it is on the first page. */
  const oldest = async (narrowed: EventQuery): Promise<Event | undefined> =>
    (await list<Event>(transport, '/events', { ...narrowed, limit: 1 }, options)).items[0];
  let position = after;
  /** Whether there was no event yet, and so no position, when the first connection began. */
  let wasEmpty = false;
  let latest: Call['latest'];
  for (let failures = 0; ; failures++) {
    const connection = new Call({ signal, timeoutMs: Number.POSITIVE_INFINITY, maxRetries: 0, hooks });
    connection.latest = latest;
    const within = <T>(ms: number, arriving: Promise<T>) =>
      connection.within(ms, `Nothing arrived for ${ms} ms.`, arriving);
    let acceptedAt = Number.POSITIVE_INFINITY;
    let failure: AnimalStoreError | undefined;
    try {
      const url = new URL(transport.url('/events') + toQuery({ after: position, ...filter }));
      const response = await within(timeoutMs, transport.receive(connection, url));
      acceptedAt = performance.now();
      reportLiveness(true);
      const begin = response.headers.get('last-event-id') ?? undefined;
      if (wasEmpty && position === undefined && begin !== undefined) {
        const wanted = await oldest(filter);
        if (wanted) yield wanted;
        position = (wanted ?? (await oldest({})))?.id;
        continue;
      }
      position ??= begin;
      wasEmpty = position === undefined;
      const parser = new EventParser();
      for (;;) {
        const { done, value } = await within(SILENCE_MS, response.parts.next());
        if (done) break;
        reportLiveness(true);
        for (const { id, data } of parser.push(value)) {
          failures = 0;
          yield parsePart(response, data) as Event;
          position = id;
        }
      }
    } catch (error) {
      if (!(error instanceof AnimalStoreError) || !mayContinue(error)) throw error;
      if (isStable(acceptedAt)) failures = 0;
      if (failures >= maxRetries) throw error;
      failure = error;
    } finally {
      ({ latest } = connection);
      connection.close();
      connection.abort('aborted', 'The loop over the events has ended.');
      reportLiveness(false);
    }
    if (isStable(acceptedAt)) failures = 0;
    const pauseMs = (failure?.retryAfterMs ?? 0) + backoffMs(failures);
    connection.reportRetry(failure, pauseMs);
    await runCall({ signal, timeoutMs: MAX_TIMER_MS, maxRetries: 0 }, (call) => call.pause(pauseMs));
  }
}

const isStable = (acceptedAt: number): boolean => performance.now() - acceptedAt > STABLE_MS;

/** Lost connections and pauses of the service pass; a refusal does not. */
const mayContinue = (error: AnimalStoreError): boolean => error.code === 'timeout' || isTemporary(error);
