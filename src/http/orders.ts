import { int64FromText } from '../contract/int64.ts';
import { inventoryJson, orderJson, orderNotFound, ordersJson } from '../contract/order.ts';
import type { Store } from '../store/store.ts';
import { keepFinished } from './finished.ts';
import { created, type Handlers } from './operation.ts';
import { page } from './paging.ts';

type OrderHandlers = Pick<Handlers, 'listOrders' | 'createOrder' | 'updateOrder' | 'getInventory'>;

export function orderHandlers(store: Store): OrderHandlers {
  return {
    listOrders: keepFinished(store, (call) => page(call, ordersJson, (query) => store.listOrders(query))),

    createOrder: async ({ body, once }) => created(await store.createOrder(body, once), orderJson),

    async updateOrder({ params: { orderId = '' }, body }) {
      const id = int64FromText(orderId);
      if (id === undefined) throw orderNotFound();
      return { text: orderJson(await store.updateOrder(id, body)) };
    },

    getInventory: async () => ({ text: inventoryJson(await store.countPets()) }),
  };
}
