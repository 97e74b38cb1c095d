import type { Call } from './call.ts';
import { int64Text, toJson } from './encode.ts';
import { AnimalStoreError } from './errors.ts';
import { list, walk } from './requests.ts';
import type { Transport } from './transport.ts';
import type { CallOptions, Id, Order, OrderUpdate } from './types.ts';

/**
 * Closes an order. The operation has no Idempotency-Key: when an attempt took effect but its response was lost, the next attempt is
 * answered `order_closed`. Only then is the order looked up, and its status decides.
 */
export async function closeOrder(
  transport: Transport,
  id: Id,
  update: OrderUpdate,
  options: CallOptions,
): Promise<Order> {
  const url = transport.url(`/store/orders/${int64Text('id', id)}`);
  const outgoing = { method: 'PATCH', url, body: toJson(update) } as const;
  return transport.run(options, async (call) => {
    try {
      return (await transport.send(call, outgoing)).value as Order;
    } catch (error) {
      const closed = error instanceof AnimalStoreError && error.code === 'order_closed';
      // An attempt that got 429 was not executed.
      const inDoubt = closed && call.failures.some(({ status }) => status !== 429);
      const order = inDoubt ? await findOrder(transport, call, BigInt(id), update) : undefined;
      if (order === undefined) throw error;
      return order;
    }
  });
}

/** The order, if it has the status of `update`. No operation returns a single order, so this walks the list down to it. */
async function findOrder(
  transport: Transport,
  call: Call,
  id: bigint,
  { status }: OrderUpdate,
): Promise<Order | undefined> {
  const orders = walk((page) => list<Order>(transport, call, '/store/orders', page), { status });
  for await (const order of orders) {
    if (order.id <= id) return order.id === id ? order : undefined;
  }
  return undefined;
}
