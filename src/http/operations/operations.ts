import { BASE_PATH, type Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { Store } from '../../store/store.ts';
import type { EventFeed } from '../feed/feed.ts';
import type { Endpoint } from '../request/request.ts';
import type { Routes } from '../request/route.ts';
import { deprecationHeaders } from '../response/deprecation.ts';
import { categoryHandlers } from './categories.ts';
import { eventHandlers } from './events.ts';
import type { Handlers } from './handler.ts';
import { keyHandlers } from './keys.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';

/** Serves every operation of the contract at its path. */
export function addOperations(routes: Routes, store: Store, feed: EventFeed): void {
  const handlers: Handlers = {
    ...petHandlers(store),
    ...categoryHandlers(store),
    ...orderHandlers(store),
    ...eventHandlers(store, feed),
    ...keyHandlers(store),
  };
  for (const operation of Object.values<Operation>(operations)) {
    const handle = handlers[operation.id as keyof Handlers] as Endpoint['handle'];
    const headers = deprecationHeaders(operation);
    routes.add(operation.method, BASE_PATH + operation.path, {
      inputs: operation,
      operation,
      access: operation.scope,
      headers,
      handle,
    });
  }
}
