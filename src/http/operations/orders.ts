import { inventoryJson, orderJson, orderNotFound } from '../../contract/order.ts';
import type { Store } from '../../store/store.ts';
import { createdAnswer, jsonAnswer } from '../answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { type Handlers, idIn } from './handler.ts';
import { page } from './paging.ts';

/** In the order of completion, a position has a time in milliseconds. */
const keyFormat = ({
  completedFrom,
  completedBefore,
}: {
  completedFrom?: unknown;
  completedBefore?: unknown;
}) => ((completedFrom ?? completedBefore) === undefined ? undefined : /^-?\d{1,15}$/);

export function orderHandlers(store: Store) {
  return {
    listOrders: cacheFirstPages(store, (call) =>
      page('listOrders', call, (query) => store.listOrders(query), keyFormat(call.query)),
    ),

    async getOrder({ parameter }) {
      const order = await store.getOrder(idIn(parameter, orderNotFound));
      if (!order) throw orderNotFound();
      return jsonAnswer(200, orderJson(order));
    },

    createOrder: async ({ request, body, idempotencyKey }) =>
      createdAnswer(await store.createOrder(body, idempotencyKey, request.key?.author)),

    async updateOrder({ request, parameter, body }) {
      const id = idIn(parameter, orderNotFound);
      return jsonAnswer(200, orderJson(await store.updateOrder(id, body, request.key?.author)));
    },

    getInventory: async ({ query }) =>
      jsonAnswer(200, inventoryJson(await store.countPets(query.categoryId))),
  } satisfies Partial<Handlers>;
}
