import { ApiError } from '../../contract/errors.ts';
import { type EventPosition, eventId, parseEventId } from '../../contract/event-id.ts';
import type { AuthenticatedKey } from '../../keys/verifier.ts';
import type { Store } from '../../store/store.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import type { EventFeed, StreamQuery } from '../feed/feed.ts';
import { EVENT_STREAM } from '../feed/frames.ts';
import type { HttpRequest } from '../request/request.ts';
import type { Handlers } from './handler.ts';
import { nextLink } from './paging.ts';

export function eventHandlers(store: Store, feed: EventFeed) {
  return {
    async listEvents({ request, query: { type: types, keyId: keyIds, ...query } }) {
      request.answerHeaders.push('vary', 'Accept');
      const { petId, after } = query;
      if (wantsStream(request)) return streamAnswer(feed, request, { after, petId, types, keyIds });
      const { events, next } = await store.listEvents({ ...query, types, keyIds });
      const json = `[${events.map((event) => event.json).join()}]`;
      if (!next) return jsonAnswer(200, json);
      return jsonAnswer(200, json, 'link', nextLink(request, 'after', eventId(next)));
    },
  } satisfies Partial<Handlers>;
}

/** Without `x-accel-buffering`, nginx buffers a response until it has several kilobytes. */
const HEADERS = ['content-type', EVENT_STREAM, 'cache-control', 'no-store', 'x-accel-buffering', 'no'];

const WEIGHT = /;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*(?:;|$)/i;

/**
 * Whether the Accept header (RFC 9110) names the type of a stream and gives it at least the weight of JSON; if it names both with the same
 * weight, JSON wins. A wildcard alone means JSON, as it does for every other answer.
 */
function wantsStream({ headers }: HttpRequest): boolean {
  const accept = headers.list('accept');
  if (accept === undefined) return false;
  const weights = new Map(accept.split(',').map(weightOf));
  const weight = weights.get(EVENT_STREAM) ?? 0;
  const ofJson = weights.get('application/json');
  if (ofJson !== undefined) return weight > ofJson;
  return weight > 0 && weight >= (weights.get('application/*') ?? weights.get('*/*') ?? 0);
}

function weightOf(range: string): [type: string, weight: number] {
  const [type = ''] = range.split(';', 1);
  return [type.trim().toLowerCase(), Number(WEIGHT.exec(range)?.[1] ?? 1)];
}

/** The events from now on, or after the one that the client has seen last. */
async function streamAnswer(
  feed: EventFeed,
  request: HttpRequest,
  { after, ...filter }: StreamQuery,
): Promise<Answer> {
  const { id: keyId } = request.key as AuthenticatedKey;
  const stream = await feed.open(keyId, { after: lastSeen(request) ?? after, ...filter });
  const { position } = stream;
  // A client that loses its connection before the first event can resume as well.
  const start = position ? ['last-event-id', eventId(position)] : [];
  return { status: 200, headers: [...HEADERS, ...start], body: stream };
}

/** The event in `Last-Event-ID`, which a browser sends when it connects again. */
function lastSeen({ headers }: HttpRequest): EventPosition | undefined {
  const sent = headers.first('last-event-id');
  if (sent === undefined) return undefined;
  const position = parseEventId(sent);
  if (!position)
    throw new ApiError('invalid_parameter', 'Last-Event-ID is not the id of an event: copy it unchanged.');
  return position;
}
