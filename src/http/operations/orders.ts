import { int64FromText } from '../../contract/int64.ts';
import { inventoryJson, orderJson, orderNotFound } from '../../contract/order.ts';
import type { Store } from '../../store/store.ts';
import { jsonAnswer } from '../response/answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { createdAnswer, type Handlers } from './handler.ts';
import { page } from './paging.ts';

type OrderHandlers = Pick<Handlers, 'listOrders' | 'createOrder' | 'updateOrder' | 'getInventory'>;

export function orderHandlers(store: Store): OrderHandlers {
  return {
    listOrders: cacheFirstPages(store, (call) =>
      page('listOrders', call, (query) => store.listOrders(query)),
    ),

    createOrder: async ({ body, idempotencyKey }) =>
      createdAnswer(await store.createOrder(body, idempotencyKey), orderJson),

    async updateOrder({ parameter, body }) {
      const id = int64FromText(parameter);
      if (id === undefined) throw orderNotFound();
      return jsonAnswer(200, orderJson(await store.updateOrder(id, body)));
    },

    getInventory: async () => jsonAnswer(200, inventoryJson(await store.countPets())),
  };
}
