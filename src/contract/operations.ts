import * as v from 'valibot';
import { bodyErrors, type Operation } from './operation.ts';
import { Inventory, NewOrder, Order, OrderStatus, Orders, OrderUpdate } from './order.ts';
import { Ids, orderIdParameter, paging, petIdParameter, statusFilter } from './parameters.ts';
import { NewPet, Pet, PetStatus, Pets } from './pet.ts';
import { query } from './validate.ts';

/** Every operation of the interface. */
export const operations = {
  listPets: {
    id: 'listPets',
    method: 'GET',
    path: '/pets',
    tag: 'pets',
    summary: 'List animals',
    description:
      'Animals, newest first. While there are more, the `Link` header leads to the next page; a walk through all pages meets every animal that was there when it began exactly once, whoever writes meanwhile.',
    query: query({ ...paging, status: statusFilter(PetStatus, 'animals'), id: v.optional(Ids) }),
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
      'The animal is on disk before the answer is sent. Without `status` it is `available`. Send an `Idempotency-Key` to be able to try again safely.',
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
      'Deprecated, to be removed on 5 December 2030: use `GET /pets` with the `status` filter, or with `id`.',
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
    description: 'Orders, newest first, in pages as those of `listPets`.',
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
      'Reserves an `available` animal: it becomes `pending` together with the order. Of any number of buyers at once exactly one succeeds.',
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
      'Together with the order, the animal becomes `sold` or `available`. A closed order stays as it is.',
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
    description: 'Exact, and as quick with ten million animals as with ten.',
    query: query({}),
    answer: { status: 200, schema: Inventory },
    errors: [],
    specified: [],
  },
} as const satisfies Record<string, Operation>;
