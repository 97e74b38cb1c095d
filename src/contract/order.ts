import * as v from 'valibot';
import { ApiError } from './errors.ts';
import { Int64 } from './int64.ts';
import { jsonWriter } from './json-writer.ts';
import type { PetStatus } from './pet.ts';

export const OrderStatus = v.pipe(
  v.picklist(['placed', 'completed', 'cancelled'], 'must be one of placed, completed, cancelled'),
  v.title('OrderStatus'),
  v.description('An order is placed, and then either completed or cancelled, which is final.'),
);
export type OrderStatus = v.InferOutput<typeof OrderStatus>;

/**
 * The status of an animal by the status of its order. Together with two rules it guarantees that no animal is sold
 * twice: an order can be placed only for an available animal, and only a placed order can change.
 */
export const petStatusUnder = {
  placed: 'pending',
  completed: 'sold',
  cancelled: 'available',
} as const satisfies Record<OrderStatus, PetStatus>;

const petId = v.pipe(Int64, v.description('Identifier of the ordered animal.'));

export const NewOrder = v.pipe(
  v.object({ petId }),
  v.title('NewOrder'),
  v.description('An order to place. Other fields are ignored.'),
);
export type NewOrder = v.InferOutput<typeof NewOrder>;

export const OrderUpdate = v.pipe(
  v.object({ status: v.picklist(['completed', 'cancelled'], 'must be one of completed, cancelled') }),
  v.title('OrderUpdate'),
  v.description('`completed` makes the animal `sold`, `cancelled` makes it `available` again.'),
);
export type OrderUpdate = v.InferOutput<typeof OrderUpdate>;

const time = (description: string) =>
  v.pipe(v.string(), v.isoTimestamp(), v.description(description), v.metadata({ format: 'date-time' }));

export const Order = v.pipe(
  v.object({
    id: v.pipe(Int64, v.description('Unique identifier assigned by the service. Never reused.')),
    petId,
    status: OrderStatus,
    createdAt: time('When the order was placed, in UTC.'),
    updatedAt: time('When the status last changed, in UTC.'),
  }),
  v.title('Order'),
  v.description('An order for one animal.'),
);
export type Order = v.InferOutput<typeof Order>;

export const Orders = v.pipe(v.array(Order), v.title('Orders'), v.description('Orders, newest first.'));

const count = (status: PetStatus) => v.pipe(Int64, v.description(`Number of animals that are ${status}.`));

export const Inventory = v.pipe(
  v.object({ available: count('available'), pending: count('pending'), sold: count('sold') }),
  v.title('Inventory'),
  v.description('The number of animals by status, exact at the time of the response.'),
);
export type Inventory = v.InferOutput<typeof Inventory>;

export const orderJson = jsonWriter<Order>(Order);
export const inventoryJson = jsonWriter<Inventory>(Inventory);

export const petNotAvailable = () =>
  new ApiError('pet_not_available', 'The animal is not available: it is already ordered or sold.');
export const orderNotFound = () => new ApiError('order_not_found', 'There is no order with this identifier.');
export const orderClosed = () =>
  new ApiError('order_closed', 'The order is already completed or cancelled and cannot change.');
