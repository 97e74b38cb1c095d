import * as v from 'valibot';
import { textPart, timeFilter, timeInOrder } from '../bounded-filters.ts';
import { bodyErrors, type OperationDefinition } from '../operation.ts';
import { Inventory, NewOrder, Order, OrderStatus, Orders, OrderUpdate } from '../order.ts';
import { CountedCategory, orderIdParameter, PetIds, paging, statusFilter } from '../parameters.ts';
import { TRANSITIONS_TEXT } from '../rules/orders.ts';
import { query } from '../validate.ts';

export const storeOperations = {
  listOrders: {
    method: 'GET',
    path: '/store/orders',
    scope: 'store:read',
    summary: 'List orders',
    description:
      'Orders, newest first, in pages as in `listPets`. With `completedFrom` or `completedBefore`, the orders that were completed in that time, the latest completion first: what was sold then, even if it was returned later.',
    query: v.pipe(
      query({
        ...paging,
        status: statusFilter(OrderStatus, 'orders'),
        petId: v.optional(PetIds),
        completedFrom: v.optional(
          v.pipe(
            timeFilter('Restricts the result to orders that were completed at this time or later.'),
            v.metadata({ example: '2026-11-17T00:00:00Z' }),
          ),
        ),
        completedBefore: v.optional(
          v.pipe(
            timeFilter('Restricts the result to orders that were completed before this time.'),
            v.metadata({ example: '2026-11-18T00:00:00Z' }),
          ),
        ),
        note: v.optional(
          v.pipe(
            textPart(
              'Restricts the result to orders whose note contains every word of this text, in any order, ignoring case and accents.',
              'orders',
            ),
            v.metadata({ example: 'lee' }),
          ),
        ),
      }),
      timeInOrder(),
    ),
    answer: { status: 200, schema: Orders, paged: true },
  },
  createOrder: {
    method: 'POST',
    path: '/store/orders',
    scope: 'store:write',
    summary: 'Order an animal',
    description:
      'Reserves an `available` animal, which becomes `pending`; with the status `completed` it sells the animal in the same request, which becomes `sold`. If several clients order the same animal at once, exactly one succeeds.',
    body: NewOrder,
    answer: { status: 201, schema: Order, located: true },
    errors: [...bodyErrors, 'pet_not_found', 'pet_not_available'],
  },
  getOrder: {
    method: 'GET',
    path: '/store/orders/{orderId}',
    scope: 'store:read',
    summary: 'Get an order',
    description: 'One order by its identifier.',
    params: v.object({ orderId: orderIdParameter }),
    answer: { status: 200, schema: Order },
    errors: ['order_not_found'],
  },
  updateOrder: {
    method: 'PATCH',
    path: '/store/orders/{orderId}',
    scope: 'store:write',
    summary: 'Complete, cancel, return or correct an order, or change its note',
    description: `The animal becomes \`pending\` under a placed order, \`sold\` under a completed one and \`available\` under any other, in the same transaction: ${TRANSITIONS_TEXT}. An order that is completed can change only while its animal is still sold by it, and a cancelled or returned one only while its animal is available. The \`note\` can be changed at any time, with or without the status.`,
    params: v.object({ orderId: orderIdParameter }),
    body: OrderUpdate,
    answer: { status: 200, schema: Order },
    errors: [
      ...bodyErrors,
      'order_not_found',
      'order_closed',
      'order_not_completed',
      'pet_not_sold',
      'pet_not_available',
    ],
  },
  getInventory: {
    method: 'GET',
    path: '/store/inventory',
    scope: 'store:read',
    summary: 'Count the animals by status',
    description:
      'The counts are exact, and as fast with ten million animals as with ten; with `categoryId`, they are those of one category.',
    query: query({ categoryId: v.optional(CountedCategory) }),
    answer: { status: 200, schema: Inventory },
  },
} as const satisfies Record<string, OperationDefinition>;
