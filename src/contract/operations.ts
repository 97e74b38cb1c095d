import * as v from 'valibot';
import { bodyErrors, type Operation } from './operation.ts';
import { Inventory, NewOrder, Order, OrderStatus, Orders, OrderUpdate } from './order.ts';
import { Ids, NamePrefix, orderIdParameter, paging, petIdParameter, statusFilter } from './parameters.ts';
import { NewPet, Pet, PetStatus, Pets } from './pet.ts';
import { query } from './validate.ts';

/** Every operation of the API. */
export const operations = {
  listPets: {
    id: 'listPets',
    method: 'GET',
    path: '/pets',
    tag: 'pets',
    summary: 'List animals',
    description:
      'Animals, newest first; with `name`, in order of name. If there are more, the `Link` header leads to the next page. Following it to the end returns every animal that existed at the start exactly once, even while animals are added.',
    query: query({
      ...paging,
      status: statusFilter(PetStatus, 'animals'),
      id: v.optional(Ids),
      name: v.optional(NamePrefix),
    }),
    answer: { status: 200, schema: Pets, paged: true },
    errors: [],
    specified: [200, 401],
  },
  createPet: {
    id: 'createPet',
    method: 'POST',
    path: '/pets',
    tag: 'pets',
    summary: 'Add an animal',
    description:
      'The animal is stored durably before the response is sent. Without a `status` it is `available`. Send an `Idempotency-Key` to be able to retry safely.',
    query: query({}),
    body: NewPet,
    idempotent: true,
    answer: { status: 201, schema: Pet },
    errors: [...bodyErrors, 'idempotency_key_reused'],
    specified: [201, 400, 401],
  },
  getPet: {
    id: 'getPet',
    method: 'GET',
    path: '/pets/{petId}',
    tag: 'pets',
    summary: 'Get an animal',
    description:
      'Deprecated; will be removed on 5 December 2030. Use `GET /pets` with the `status` or `id` filter instead.',
    params: v.object({ petId: petIdParameter }),
    query: query({}),
    answer: { status: 200, schema: Pet },
    errors: ['pet_not_found', 'operation_removed'],
    specified: [200, 401, 404],
    deprecated: { since: '2026-11-14', sunset: '2030-12-05', successor: '/pets' },
  },
  listOrders: {
    id: 'listOrders',
    method: 'GET',
    path: '/store/orders',
    tag: 'store',
    summary: 'List orders',
    description: 'Orders, newest first, in pages as in `listPets`.',
    query: query({ ...paging, status: statusFilter(OrderStatus, 'orders') }),
    answer: { status: 200, schema: Orders, paged: true },
    errors: [],
    specified: [],
  },
  createOrder: {
    id: 'createOrder',
    method: 'POST',
    path: '/store/orders',
    tag: 'store',
    summary: 'Order an animal',
    description:
      'Reserves an `available` animal, which becomes `pending` in the same transaction. If several clients order the same animal at once, exactly one succeeds.',
    query: query({}),
    body: NewOrder,
    idempotent: true,
    answer: { status: 201, schema: Order },
    errors: [...bodyErrors, 'pet_not_found', 'pet_not_available', 'idempotency_key_reused'],
    specified: [],
  },
  updateOrder: {
    id: 'updateOrder',
    method: 'PATCH',
    path: '/store/orders/{orderId}',
    tag: 'store',
    summary: 'Complete or cancel an order',
    description:
      '`completed` makes the animal `sold`, `cancelled` makes it `available` again, in the same transaction. An order that is completed or cancelled cannot change any more.',
    params: v.object({ orderId: orderIdParameter }),
    query: query({}),
    body: OrderUpdate,
    answer: { status: 200, schema: Order },
    errors: [...bodyErrors, 'order_not_found', 'order_closed'],
    specified: [],
  },
  getInventory: {
    id: 'getInventory',
    method: 'GET',
    path: '/store/inventory',
    tag: 'store',
    summary: 'Count the animals by status',
    description: 'The counts are exact, and as fast with ten million animals as with ten.',
    query: query({}),
    answer: { status: 200, schema: Inventory },
    errors: [],
    specified: [],
  },
} as const satisfies Record<string, Operation>;
