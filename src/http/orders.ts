import type { FastifyInstance } from 'fastify';
import { int64FromText } from '../contract/int64.ts';
import { operations } from '../contract/operations.ts';
import { inventoryJson, orderJson, orderNotFound, ordersJson } from '../contract/order.ts';
import type { Store } from '../store/store.ts';
import { created, serve } from './operation.ts';
import { page } from './paging.ts';

export function serveOrders(app: FastifyInstance, store: Store): void {
  serve(app, operations.listOrders, async (call) =>
    ordersJson(await page(call, (query) => store.listOrders(query))),
  );

  serve(app, operations.createOrder, async ({ body, once, reply }) =>
    orderJson(created(reply, await store.createOrder(body, once))),
  );

  serve(app, operations.updateOrder, async ({ params: { orderId = '' }, body }) => {
    const id = int64FromText(orderId);
    if (id === undefined) throw orderNotFound();
    return orderJson(await store.updateOrder(id, body));
  });

  serve(app, operations.getInventory, async () => inventoryJson(await store.countPets()));
}
