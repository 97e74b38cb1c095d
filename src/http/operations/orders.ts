import { int64FromText } from '../../contract/int64.ts';
import { inventoryJson, orderJson, orderNotFound } from '../../contract/order.ts';
import type { Store } from '../../store/store.ts';
import { jsonAnswer } from '../answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { authorOf, createdAnswer, type Handlers } from './handler.ts';
import { page } from './paging.ts';

type OrderHandlers = Pick<
  Handlers,
  'listOrders' | 'getOrder' | 'createOrder' | 'updateOrder' | 'getInventory'
>;

export function orderHandlers(store: Store): OrderHandlers {
  return {
    listOrders: cacheFirstPages(store, (call) =>
      page('listOrders', call, (query) => store.listOrders(query)),
    ),

    async getOrder({ parameter }) {
      const id = int64FromText(parameter);
      const order = id === undefined ? undefined : await store.getOrder(id);
      if (!order) throw orderNotFound();
      return jsonAnswer(200, orderJson(order));
    },

    createOrder: async ({ request, body, idempotencyKey }) =>
      createdAnswer(await store.createOrder(body, idempotencyKey, authorOf(request)), (status, order) =>
        jsonAnswer(status, orderJson(order)),
      ),

    async updateOrder({ request, parameter, body }) {
      const id = int64FromText(parameter);
      if (id === undefined) throw orderNotFound();
      return jsonAnswer(200, orderJson(await store.updateOrder(id, body, authorOf(request))));
    },

    getInventory: async () => jsonAnswer(200, inventoryJson(await store.countPets())),
  };
}
