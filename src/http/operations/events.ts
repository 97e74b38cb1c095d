import { eventId } from '../../contract/event-id.ts';
import type { Store } from '../../store/store.ts';
import { jsonAnswer } from '../answer.ts';
import type { EventFeed } from '../feed/feed.ts';
import { streamAnswer, wantsStream } from '../feed/stream-answer.ts';
import type { Handlers } from './handler.ts';
import { nextLink } from './paging.ts';

export function eventHandlers(store: Store, feed: EventFeed): Pick<Handlers, 'listEvents'> {
  return {
    async listEvents({ request, query }) {
      request.answerHeaders.push('vary', 'Accept');
      if (wantsStream(request)) return streamAnswer(feed, request, query);
      const { events, hasMore } = await store.listEvents(query);
      const json = `[${events.map((event) => event.json).join()}]`;
      const last = hasMore ? events.at(-1) : undefined;
      if (!last) return jsonAnswer(200, json);
      return jsonAnswer(200, json, 'link', nextLink(request.query, 'after', eventId(last.position)));
    },
  };
}
