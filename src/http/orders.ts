import type { FastifyInstance } from 'fastify';
import { int64FromText } from '../contract/int64.ts';
import { operations } from '../contract/operations.ts';
import { inventoryJson, orderJson, orderNotFound, ordersJson } from '../contract/order.ts';
import type { Store } from '../store/store.ts';
import { serve } from './operation.ts';
import { page } from './paging.ts';

export function serveOrders(app: FastifyInstance, store: Store): void {
  serve(app, operations.listOrders, async ({ query: { limit, cursor, status }, request, reply }) => {
    const scope = `orders?status=${status ?? ''}`;
    const fetch = (limit: number, before: bigint | undefined) => store.listOrders({ limit, status, before });
    return ordersJson(await page(request, reply, { scope, limit, cursor, fetch }));
  });

  serve(app, operations.createOrder, async ({ body, once, reply }) => {
    const { value, replayed } = await store.createOrder(body, once);
    if (replayed) reply.header('idempotent-replayed', 'true');
    return orderJson(value);
  });

  serve(app, operations.updateOrder, async ({ params: { orderId = '' }, body }) => {
    const id = int64FromText(orderId);
    if (id === undefined) throw orderNotFound();
    return orderJson(await store.updateOrder(id, body));
  });

  serve(app, operations.getInventory, async () => inventoryJson(await store.countPets()));
}
