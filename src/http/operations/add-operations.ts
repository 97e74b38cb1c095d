import { ApiError } from '../../contract/errors.ts';
import { parseIdempotencyKey, refuseIdempotencyKey } from '../../contract/idempotency-key.ts';
import { BASE_PATH, type Operation, takesIdempotencyKey } from '../../contract/operation.ts';
import { operations } from '../../contract/operations/all.ts';
import type { Store } from '../../store/store.ts';
import type { EventFeed } from '../feed/feed.ts';
import type { Endpoint } from '../request/request.ts';
import type { Routes } from '../request/route.ts';
import { categoryHandlers } from './categories.ts';
import { eventHandlers } from './events.ts';
import type { Handlers } from './handler.ts';
import { keyHandlers } from './keys.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';

/** Serves every operation of the contract at its path. */
export function addOperations(
  routes: Routes,
  { store, feed, removeDeprecated }: { store: Store; feed: EventFeed; removeDeprecated: boolean },
): void {
  const handlers: Handlers = {
    ...petHandlers(store),
    ...categoryHandlers(store),
    ...orderHandlers(store),
    ...eventHandlers(store, feed),
    ...keyHandlers(store),
  };
  for (const operation of Object.values<Operation>(operations)) {
    const handle = handlers[operation.id as keyof Handlers] as Endpoint['handle'];
    const endpoint = {
      operation,
      access: operation.scope,
      parseKey: parserOfKey(operation),
      headers: deprecationHeaders(operation),
    };
    routes.add(
      operation.method,
      BASE_PATH + operation.path,
      removeDeprecated && operation.deprecated
        ? { ...endpoint, inputs: {}, handle: () => Promise.reject(removed(operation)) }
        : { ...endpoint, inputs: operation, handle },
    );
  }
}

function parserOfKey(operation: Operation): Endpoint['parseKey'] {
  if (operation.secret) return refuseIdempotencyKey;
  return takesIdempotencyKey(operation) ? parseIdempotencyKey : undefined;
}

function removed({ id, deprecated }: Operation): ApiError {
  const instead = `Use GET ${deprecated?.successor} instead.`;
  return new ApiError('operation_removed', `${id} is no longer available. ${instead}`);
}

/** The headers of every response of a deprecated operation, including a 401. Empty for other operations. */
function deprecationHeaders({ path, deprecated }: Operation): string[] {
  if (!deprecated) return [];
  const { since, sunset, successor } = deprecated;
  // Relative, so that they also resolve below a path prefix that a proxy has removed.
  const base = '../'.repeat(path.split('/').length - 2);
  const links = [
    `<${base}${successor.slice(1)}>; rel="successor-version"`,
    `<${base}../openapi.json>; rel="deprecation"; type="application/json"`,
  ];
  return [
    ...['deprecation', `@${Date.parse(since) / 1000}`],
    ...['sunset', new Date(sunset).toUTCString()],
    ...['link', links.join(', ')],
  ];
}
