import * as v from 'valibot';
import { ApiError } from './errors.ts';
import { Int64 } from './int64.ts';
import { jsonWriter } from './json.ts';
import type { PetStatus } from './pet.ts';
import { time } from './time.ts';
import { atLeastOne, nameOf } from './validate.ts';

export const OrderStatus = v.pipe(
  v.picklist(
    ['placed', 'completed', 'cancelled', 'returned'],
    'must be one of placed, completed, cancelled, returned',
  ),
  v.title('OrderStatus'),
  v.description(
    'An order that is `placed` reserves its animal, and a `completed` one has sold it. One that is `cancelled` or `returned` has let it go.',
  ),
);
export type OrderStatus = v.InferOutput<typeof OrderStatus>;

/** The status of an animal by the status of its order. */
export const petStatusUnder = {
  placed: 'pending',
  completed: 'sold',
  cancelled: 'available',
  returned: 'available',
} as const satisfies Record<OrderStatus, PetStatus>;

const petId = v.pipe(Int64, v.description('Identifier of the ordered animal.'));

const noteText = nameOf(
  'For the people in the shop: who the animal is for, or when it is fetched. Absent if there is none.',
);
const note = v.optional(noteText);

export const NewOrder = v.pipe(
  v.object({
    petId,
    note,
    status: v.optional(
      v.pipe(
        v.picklist(['placed', 'completed'], 'must be placed or completed'),
        v.description('`placed`, the default, reserves the animal; `completed` sells it at once.'),
      ),
    ),
  }),
  v.title('NewOrder'),
  v.description('A reservation or a sale. Other fields are ignored.'),
);
export type NewOrder = v.InferOutput<typeof NewOrder>;

export const OrderUpdate = v.pipe(
  atLeastOne({
    status: v.optional(OrderStatus),
    note: v.optional(
      v.pipe(
        v.nullable(noteText),
        v.description('The note of the order from now on; `null` removes it. Possible at any time.'),
      ),
    ),
    from: v.optional(
      v.pipe(
        OrderStatus,
        v.description(
          'The status that the order has now, as the client knows it. If another client has changed it since, the response is 409 and nothing is done: to cancel a reservation never undoes a sale that was made meanwhile.',
        ),
      ),
    ),
  }),
  v.title('OrderUpdate'),
  v.description(
    'A new status, a new note, or both. Other fields are ignored; a body of such fields alone is rejected.',
  ),
);
export type OrderUpdate = v.InferOutput<typeof OrderUpdate>;

const author = (did: string, more = '') =>
  v.optional(
    v.pipe(
      v.string(),
      v.description(`The name of the API key that ${did}, as it was then. Absent if it is not known.${more}`),
    ),
  );

export const Order = v.pipe(
  v.object({
    id: v.pipe(Int64, v.description('Unique identifier assigned by the service. Never reused.')),
    petId,
    status: OrderStatus,
    note,
    createdAt: time('When the order was created, in UTC. Never changes.'),
    createdBy: author('created the order'),
    updatedAt: time('When the order last changed, in UTC.'),
    completedAt: v.optional(
      time(
        'When the animal was sold, in UTC. It stays when the order is returned, and goes when the sale is corrected to `placed` or `cancelled`.',
      ),
    ),
    completedBy: author('sold the animal', ' It stays and goes with `completedAt`.'),
  }),
  v.title('Order'),
  v.description('An order for one animal.'),
);
export type Order = v.InferOutput<typeof Order>;

export const Orders = v.pipe(
  v.array(Order),
  v.title('Orders'),
  v.description('Orders, newest first; with a time of completion, the latest completion first.'),
);

const count = (status: PetStatus) => v.pipe(Int64, v.description(`Number of animals that are ${status}.`));

export const Inventory = v.pipe(
  v.object({ available: count('available'), pending: count('pending'), sold: count('sold') }),
  v.title('Inventory'),
  v.description('The number of animals by status, exact at the time of the response.'),
);
export type Inventory = v.InferOutput<typeof Inventory>;

export const NO_ANIMALS: Inventory = { available: 0n, pending: 0n, sold: 0n };

export const orderJson = jsonWriter<Order>(Order);
export const inventoryJson = jsonWriter<Inventory>(Inventory);

export const petNotAvailable = () =>
  new ApiError('pet_not_available', 'The animal is not available: it is ordered, sold or removed.');
export const orderNotFound = () => new ApiError('order_not_found', 'There is no order with this identifier.');
/** `possible` is what the order can become. */
const notPossible =
  (code: 'order_closed' | 'order_not_completed') => (status: OrderStatus, possible: string) =>
    new ApiError(code, `The order is ${status}: it can only become ${possible}.`);
export const orderClosed = notPossible('order_closed');
export const orderNotCompleted = notPossible('order_not_completed');
export const orderChanged = (status: OrderStatus, from: OrderStatus, possible: string) =>
  new ApiError(
    'order_closed',
    `The order is ${status}, not ${from}, so nothing was changed. It can become ${possible}.`,
  );
export const petNotSold = () =>
  new ApiError(
    'pet_not_sold',
    'The animal is no longer sold by this order: it was changed or sold again since, or removed. Restore it first if it was removed.',
  );
