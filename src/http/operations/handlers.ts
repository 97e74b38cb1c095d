import type { Operation } from '../../contract/operation.ts';
import { BASE_PATH } from '../../contract/operation.ts';
import { operations } from '../../contract/operations.ts';
import type { Created, Store } from '../../store/store.ts';
import type { Endpoint, Routes } from '../request/route.ts';
import type { Call } from '../request/validate.ts';
import { type Answer, jsonAnswer } from '../response/answer.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';

type Operations = typeof operations;

/** What serves one operation. */
export type Handler<O extends Operation> = (call: Call<O>) => Promise<Answer>;
/** What serves each operation of the contract. */
export type Handlers = { readonly [Id in keyof Operations]: Handler<Operations[Id]> };

/** Serves every operation of the contract at its path. */
export function addOperations(routes: Routes, store: Store): void {
  const handlers: Handlers = { ...petHandlers(store), ...orderHandlers(store) };
  for (const operation of Object.values<Operation>(operations)) {
    const handle = handlers[operation.id as keyof Handlers] as Endpoint['handle'];
    routes.add(operation.method, BASE_PATH + operation.path, { inputs: operation, operation, handle });
  }
}

/** The answer to a create, which says when the resource was created before. */
export function createdAnswer<T>({ value, replayed }: Created<T>, toJson: (value: T) => string): Answer {
  return jsonAnswer(201, toJson(value), ...(replayed ? ['idempotent-replayed', 'true'] : []));
}
