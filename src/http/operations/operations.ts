import { BASE_PATH, type Operation } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { Store } from '../../store/store.ts';
import type { Endpoint } from '../request/request.ts';
import type { Routes } from '../request/route.ts';
import type { Handlers } from './handler.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';

/** Serves every operation of the contract at its path. */
export function addOperations(routes: Routes, store: Store): void {
  const handlers: Handlers = { ...petHandlers(store), ...orderHandlers(store) };
  for (const operation of Object.values<Operation>(operations)) {
    const handle = handlers[operation.id as keyof Handlers] as Endpoint['handle'];
    routes.add(operation.method, BASE_PATH + operation.path, { inputs: operation, operation, handle });
  }
}
