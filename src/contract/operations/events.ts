import * as v from 'valibot';
import { KeyIdFilter } from '../bounded-filters.ts';
import { After, EventOrder, Events, EventTypeFilter } from '../event.ts';
import type { OperationDefinition } from '../operation.ts';
import { HistoryFilter, paging } from '../parameters.ts';
import { EVENTS_KEPT_DAYS } from '../time.ts';
import { query } from '../validate.ts';

export const eventOperations = {
  listEvents: {
    method: 'GET',
    path: '/events',
    scope: 'events:read',
    summary: 'List or follow changes',
    description: `Every change as one event, oldest first. If there are more, the \`Link\` header leads to the next page; later, continue with the \`id\` of the last event as \`after\`. No event is left out, and none appears before one that you have seen. Events are kept for ${EVENTS_KEPT_DAYS} days unless the operator has chosen another time. There is one feed: its scope alone shows animals, orders with their notes, categories, and the names of the keys that made the changes.\n\nWith \`Accept: text/event-stream\` the response goes on with events as they happen (server-sent events), after \`Last-Event-ID\` or \`after\`, otherwise from now on; \`limit\` and \`order\` have no effect. Connect again with the \`id\` of the last event when it ends.`,
    query: query({
      limit: paging.limit,
      after: v.optional(After),
      petId: v.optional(HistoryFilter),
      type: v.optional(EventTypeFilter),
      keyId: v.optional(KeyIdFilter),
      order: v.optional(EventOrder),
    }),
    answer: { status: 200, schema: Events, paged: true, followed: true },
    errors: ['cursor_expired'],
  },
} as const satisfies Record<string, OperationDefinition>;
