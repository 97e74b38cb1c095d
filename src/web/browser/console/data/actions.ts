import type { AnimalStoreError, NewOrder, Order, OrderStatus, PetUpdate } from '../../../../client/index.ts';
import type { Action } from './act.ts';
import { type Animal, animalFrom, shownStatus } from './cache.ts';
import type { Shop } from './shop.ts';
import { quoted, type Status, short, statusWord } from './text.ts';

/** What can be done with one animal, or with each of several. */
export type AnimalAction = (shop: Shop, animal: Animal) => Action;

/** The status that an order gives its animal. */
const ANIMAL_STATUS = {
  placed: 'pending',
  completed: 'sold',
  cancelled: 'available',
  returned: 'available',
} as const satisfies Record<OrderStatus, Animal['status']>;

const nameOf = (shop: Shop, petId: bigint): string =>
  short(shop.cache.animals.peek(petId)?.name ?? `animal ${petId}`);

/** What has become of an animal: `Biscuit is sold.` */
export function stateOf({ cache }: Shop, { id, name }: Animal): string {
  const animal = cache.animals.peek(id);
  const status = animal ? shownStatus(animal) : 'removed';
  return `${short(name)} ${status === 'available' ? 'was changed' : `is ${statusWord(status).toLowerCase()}`}.`;
}

/** What an animal is now, after a request about it was refused: `Not sold: Biscuit is sold already.` */
async function refusal(shop: Shop, petId: bigint, not: string, wanted?: Status): Promise<string> {
  await shop.animals.lookUp([petId]);
  const animal = shop.cache.animals.peek(petId);
  const status = animal ? shownStatus(animal) : 'removed';
  return `${not}: ${nameOf(shop, petId)} is ${statusWord(status).toLowerCase()}${status === wanted ? ' already' : ''}.`;
}

/** Explains 404 and 409 by the present state of the animal. For any other error, the message of the service is enough. */
const refusedWith = (shop: Shop, petId: bigint, not: string, wanted?: Status) => (error: AnimalStoreError) =>
  [404, 409].includes(error.status) ? refusal(shop, petId, not, wanted) : `${not}: ${error.message}`;

/* Reserving and selling. */

/** Shows the order as it is now. False if something newer is known, because a repeated request gets the answer to the first one. */
function showOrder({ cache }: Shop, order: Order): boolean {
  if ((cache.orders.peek(order.id)?.updatedAt ?? '') > order.updatedAt) return false;
  cache.orders.change(order);
  return true;
}

/** Shows the order, and its animal with the status that follows from it. */
function show(shop: Shop, order: Order): void {
  const animal = shop.cache.animals.peek(order.petId);
  if (showOrder(shop, order) && animal)
    shop.cache.animals.change({ ...animal, status: ANIMAL_STATUS[order.status] });
}

/** The words for one request about an order. */
interface Change {
  readonly running: string;
  /** `the sale` */
  readonly what: string;
  readonly not: string;
  /** The status that undoes it. */
  readonly undo: OrderStatus;
}

function createOrder(shop: Shop, order: NewOrder & { petId: bigint }, change: Change): Action {
  return orderAction(shop, order.petId, order.status ?? 'placed', change, (key) =>
    shop.api.write((client, options) => client.createOrder(order, options), key),
  );
}

/** Changes the order only if it is still as the person has seen it, so that a change from another till is not overwritten. */
const setStatus = (shop: Shop, { id, status: from }: Order, status: OrderStatus, key: string) =>
  shop.api.write((client, options) => client.updateOrder(id, { status, from }, options), key);

const changeOrder = (shop: Shop, order: Order, status: OrderStatus, change: Change): Action =>
  orderAction(shop, order.petId, status, change, (key) => setStatus(shop, order, status, key));

function orderAction(
  shop: Shop,
  petId: bigint,
  status: OrderStatus,
  { running, what, not, undo }: Change,
  send: (key: string) => Promise<Order>,
): Action {
  return {
    subject: `animal-${petId}`,
    running,
    what: `${what} of ${nameOf(shop, petId)}`,
    refused: refusedWith(shop, petId, not, ANIMAL_STATUS[status]),
    run: async (key) => {
      const order = await send(key);
      show(shop, order);
      return {
        text: `${nameOf(shop, petId)} ${PAST[status]}.`,
        undo: undoOrder(shop, order, undo, what),
      };
    },
  };
}

const PAST: Readonly<Record<OrderStatus, string>> = {
  placed: 'is reserved',
  completed: 'is sold',
  cancelled: 'is available again',
  returned: 'was taken back',
};

function undoOrder(shop: Shop, order: Order, status: OrderStatus, what: string): Action {
  const { petId } = order;
  const again = ANIMAL_STATUS[status];
  return {
    subject: `animal-${petId}`,
    running: 'Undoing…',
    what: `undoing ${what} of ${nameOf(shop, petId)}`,
    refused: refusedWith(shop, petId, 'Not undone'),
    run: async (key) => {
      show(shop, await setStatus(shop, order, status, key));
      return { text: `Undone: ${nameOf(shop, petId)} is ${statusWord(again).toLowerCase()} again.` };
    },
  };
}

export const reserve: AnimalAction = (shop, { id: petId }) =>
  createOrder(
    shop,
    { petId },
    { running: 'Reserving…', what: 'the reservation', not: 'Not reserved', undo: 'cancelled' },
  );

/** Sells an animal: the order that waits for it is completed, or it is sold over the counter. */
export function sell(shop: Shop, animal: Animal): Action {
  const words = { running: 'Selling…', what: 'the sale', not: 'Not sold' };
  const reservation = shop.cache.orderOf(animal);
  return reservation?.status === 'placed'
    ? changeOrder(shop, reservation, 'completed', { ...words, undo: 'placed' })
    : createOrder(shop, { petId: animal.id, status: 'completed' }, { ...words, undo: 'cancelled' });
}

export const cancel = (shop: Shop, order: Order): Action =>
  changeOrder(shop, order, 'cancelled', {
    running: 'Cancelling…',
    what: 'the cancellation of the reservation',
    not: 'Not cancelled',
    undo: 'placed',
  });

/** Takes back an animal that was sold on any day. It becomes available. */
export const takeBack = (shop: Shop, order: Order): Action =>
  changeOrder(shop, order, 'returned', {
    running: 'Taking back…',
    what: 'the return',
    not: 'Not taken back',
    undo: 'completed',
  });

/** The longest note that the service takes, in characters. */
export const MAX_NOTE = 1000;

/** Changes the note of an order; without a text, removes it. */
export function setNote(shop: Shop, order: Order, text: string): Action {
  const { id, petId, note: before = '' } = order;
  const what = `the note of ${nameOf(shop, petId)}`;
  const write = async (note: string, key: string) => {
    const update = { note: note === '' ? null : note };
    showOrder(shop, await shop.api.write((client, options) => client.updateOrder(id, update, options), key));
  };
  const noteNow = () => shop.cache.orders.peek(id)?.note ?? '';
  return {
    subject: `animal-${petId}`,
    running: 'Saving…',
    what,
    run: async (key) => {
      await write(text, key);
      return {
        text: `The note of ${nameOf(shop, petId)} ${text === '' ? 'was removed' : `is ${quoted(text)}`}.`,
        undo: {
          subject: `animal-${petId}`,
          running: 'Undoing…',
          what: `undoing ${what}`,
          run: async (undoKey) => {
            // The service has no condition for a note. What is known here is as new as the last event.
            if (![text, before].includes(noteNow()))
              return { text: `Not undone: the note of ${nameOf(shop, petId)} is ${quoted(noteNow())} now.` };
            await write(before, undoKey);
            return { text: `Undone: ${what} is ${before === '' ? 'empty' : quoted(before)} again.` };
          },
        },
      };
    },
  };
}

/* Changing, removing, restoring. */

export type Correction = Pick<PetUpdate, 'name' | 'status'> & { readonly categoryId?: bigint | undefined };

/** Changes fields of an animal. With an etag, only if it is still as the person has seen it. */
export function correct(
  shop: Shop,
  animal: Animal,
  change: Correction,
  words: { readonly running?: string; readonly what?: string; readonly etag?: string | undefined } = {},
): Action {
  const { id } = animal;
  const { running = 'Saving…', what = `the change of ${short(animal.name)}`, etag } = words;
  return {
    subject: `animal-${id}`,
    running,
    what,
    refused: ({ status, message }) =>
      status === 412
        ? `Not saved: someone else has changed ${short(animal.name)} meanwhile. Look at it and save again.`
        : `Not saved: ${message}`,
    run: async (key) => {
      const pet = await shop.api.write(
        (client, options) => client.updatePet(id, change, { ...options, ifMatch: etag }),
        key,
      );
      shop.cache.animals.change(animalFrom(pet));
      return {
        text: `${changed(shop, animal, change)}.`,
        undo: correctBack(shop, animal, change, what, pet.etag),
      };
    },
  };
}

/** `Gus was moved from Dogs to Cats` */
function changed(shop: Shop, { name, categoryId }: Animal, change: Correction): string {
  const facts = [
    ...(change.name === undefined ? [] : [`was renamed to ${short(change.name)}`]),
    ...(change.categoryId === undefined
      ? []
      : [
          `was moved from ${shop.categories.wordFor(categoryId)} to ${shop.categories.wordFor(change.categoryId)}`,
        ]),
    ...(change.status === undefined ? [] : [`is ${statusWord(change.status).toLowerCase()} now`]),
  ];
  return `${short(name)} ${facts.join(' and ')}`;
}

/** Gives the changed fields their values back, if nothing has changed since. */
function correctBack(
  shop: Shop,
  animal: Animal,
  change: Correction,
  what: string,
  etag: string | undefined,
): Action {
  const { id, name, categoryId, status } = animal;
  const before: Correction = {
    ...(change.name !== undefined && { name }),
    ...(change.categoryId !== undefined && { categoryId }),
    ...(change.status !== undefined && { status }),
  };
  return {
    subject: `animal-${id}`,
    running: 'Undoing…',
    what: `undoing ${what}`,
    refused: ({ status: code, message }) =>
      code === 412 ? `Not undone: ${nameOf(shop, id)} was changed again since.` : `Not undone: ${message}`,
    run: async (key) => {
      const pet = await shop.api.write(
        (client, options) => client.updatePet(id, before, { ...options, ifMatch: etag }),
        key,
      );
      shop.cache.animals.change(animalFrom(pet));
      const now = { ...animal, name: change.name ?? name, categoryId: change.categoryId ?? categoryId };
      return { text: `Undone: ${changed(shop, now, before)}.` };
    },
  };
}

export const move =
  (categoryId: bigint): AnimalAction =>
  (shop, animal) =>
    correct(shop, animal, { categoryId }, { running: 'Moving…', what: `the move of ${short(animal.name)}` });

/** For an animal that is reserved or sold without an order. */
export const makeAvailable: AnimalAction = (shop, animal) =>
  correct(shop, animal, { status: 'available' }, { what: `making ${short(animal.name)} available` });

export const remove =
  (reason?: string): AnimalAction =>
  (shop, animal) => ({
    subject: `animal-${animal.id}`,
    running: 'Removing…',
    what: `the removal of ${short(animal.name)}`,
    refused: refusedWith(shop, animal.id, 'Not removed', 'removed'),
    run: async (key) => {
      await shop.api.write((client, options) => client.removePet(animal.id, { ...options, reason }), key);
      const removed = { at: new Date().toISOString(), reason };
      shop.cache.animals.change({ ...animal, removed });
      return {
        text: `${short(animal.name)} was removed.`,
        undo: { ...restore(shop, { ...animal, removed }), running: 'Undoing…' },
      };
    },
  });

export const restore: AnimalAction = (shop, animal) => ({
  subject: `animal-${animal.id}`,
  running: 'Restoring…',
  what: `the restoring of ${short(animal.name)}`,
  refused: refusedWith(shop, animal.id, 'Not restored'),
  run: async (key) => {
    const pet = await shop.api.write((client, options) => client.restorePet(animal.id, options), key);
    shop.cache.animals.change(animalFrom(pet));
    return {
      text: `${short(animal.name)} is restored.`,
      undo: { ...remove(animal.removed?.reason)(shop, animalFrom(pet)), running: 'Undoing…' },
    };
  },
});
