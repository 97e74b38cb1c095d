import { isByCompletion } from '../../contract/bounded-filters.ts';
import { inventoryJson, orderJson, orderNotFound } from '../../contract/order.ts';
import { isTimeMs } from '../../contract/time.ts';
import type { Store } from '../../store/store.ts';
import { changeAnswer, jsonAnswer, locatedAnswer } from '../answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { type Handlers, idIn } from './handler.ts';
import { page } from './paging.ts';

export function orderHandlers(store: Store) {
  return {
    listOrders: cacheFirstPages(store, (call) =>
      page(
        'listOrders',
        call,
        ({ petId: petIds, ...query }) => store.listOrders({ ...query, petIds }),
        isByCompletion(call.query) ? isTimeMs : undefined,
      ),
    ),

    async getOrder({ parameter }) {
      const order = await store.getOrder(idIn(parameter, orderNotFound));
      if (!order) throw orderNotFound();
      return jsonAnswer(200, orderJson(order));
    },

    createOrder: async ({ body, options }) => locatedAnswer('orders', await store.createOrder(body, options)),

    updateOrder: async ({ parameter, body, options }) =>
      changeAnswer(200, await store.updateOrder(idIn(parameter, orderNotFound), body, options)),

    getInventory: async ({ query }) =>
      jsonAnswer(200, inventoryJson(await store.countPets(query.categoryId))),
  } satisfies Partial<Handlers>;
}
