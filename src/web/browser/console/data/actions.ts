import { randomId } from '../../../../client/call.ts';
import type {
  AnimalStoreError,
  Category,
  NewOrder,
  Order,
  OrderStatus,
  PetUpdate,
} from '../../../../client/index.ts';
import { type Action, act, type Offer, type Outcome, type Result } from './act.ts';
import { statusOf } from './api.ts';
import { type Animal, animalFrom, shownStatus } from './cache.ts';
import { sum } from './categories.ts';
import type { Shop } from './shop.ts';
import { count, quoted, short } from './text.ts';

/** How a person takes several steps at once, each with its own request: see `selection.ts`. */
export type AnimalAction = (shop: Shop, animal: Animal) => Action;

const STATUS_WORDS = {
  available: 'available',
  pending: 'reserved',
  sold: 'sold',
  removed: 'removed',
} as const;

/** What an order makes of its animal. */
const ANIMAL_STATUS = {
  placed: 'pending',
  completed: 'sold',
  cancelled: 'available',
  returned: 'available',
} as const satisfies Record<OrderStatus, Animal['status']>;

const nameOf = (shop: Shop, petId: bigint): string =>
  short(shop.cache.animals.peek(petId)?.name ?? `animal ${petId}`);

/** What an animal is now, after a request about it was refused: `Not sold: Biscuit is sold already.` */
async function refusal(
  shop: Shop,
  petId: bigint,
  not: string,
  wanted?: keyof typeof STATUS_WORDS,
): Promise<string> {
  await shop.animals.lookUp([petId]);
  const animal = shop.cache.animals.peek(petId);
  const status = animal ? shownStatus(animal) : 'removed';
  return `${not}: ${nameOf(shop, petId)} is ${STATUS_WORDS[status]}${status === wanted ? ' already' : ''}.`;
}

/** Refused for what has become of the animal; anything else is explained by the service itself. */
const refusedWith =
  (shop: Shop, petId: bigint, not: string, wanted?: keyof typeof STATUS_WORDS) => (error: AnimalStoreError) =>
    [404, 409].includes(error.status) ? refusal(shop, petId, not, wanted) : `${not}: ${error.message}`;

/* Reserving and selling. */

/** Shows the order as it is now. False if something newer is known: a request that was sent again has the answer of the first one. */
function showOrder({ cache }: Shop, order: Order): boolean {
  if ((cache.orders.peek(order.id)?.updatedAt ?? '') > order.updatedAt) return false;
  cache.orders.change(order);
  return true;
}

/** With it, the animal as a change of the order's status has left it. */
function show(shop: Shop, order: Order): void {
  const animal = shop.cache.animals.peek(order.petId);
  if (showOrder(shop, order) && animal)
    shop.cache.animals.change({ ...animal, status: ANIMAL_STATUS[order.status] });
}

/** One request about an order, in words. */
interface Change {
  readonly running: string;
  /** `the sale` */
  readonly what: string;
  readonly not: string;
  /** The status that takes it back. */
  readonly undo: OrderStatus;
}

function createOrder(shop: Shop, order: NewOrder & { petId: bigint }, { undo, ...words }: Change): Action {
  const status = order.status ?? 'placed';
  return orderAction(shop, order.petId, status, words, undo, (key) =>
    shop.api.write((client, options) => client.createOrder(order, options), key),
  );
}

/** Only if the order is still what the person has seen: what another till has made of it is not undone. */
function changeOrder(shop: Shop, order: Order, status: OrderStatus, { undo, ...words }: Change): Action {
  const update = { status, from: order.status };
  return orderAction(shop, order.petId, status, words, undo, (key) =>
    shop.api.write((client, options) => client.updateOrder(order.id, update, options), key),
  );
}

function orderAction(
  shop: Shop,
  petId: bigint,
  status: OrderStatus,
  { running, what, not }: Omit<Change, 'undo'>,
  undo: OrderStatus,
  send: (key: string) => Promise<Order>,
): Action {
  const wanted = ANIMAL_STATUS[status];
  return {
    subject: `animal-${petId}`,
    running,
    what: `${what} of ${nameOf(shop, petId)}`,
    refused: refusedWith(shop, petId, not, wanted),
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
  const update = { status, from: order.status };
  const again = ANIMAL_STATUS[status];
  return {
    subject: `animal-${petId}`,
    running: 'Undoing…',
    what: `undoing ${what} of ${nameOf(shop, petId)}`,
    refused: refusedWith(shop, petId, 'Not undone'),
    run: async (key) => {
      show(
        shop,
        await shop.api.write((client, options) => client.updateOrder(order.id, update, options), key),
      );
      return { text: `Undone: ${nameOf(shop, petId)} is ${STATUS_WORDS[again]} again.` };
    },
  };
}

/** Reserves an available animal. */
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

/** Cancels a reservation. */
export const cancel = (shop: Shop, order: Order): Action =>
  changeOrder(shop, order, 'cancelled', {
    running: 'Cancelling…',
    what: 'the cancellation of the reservation',
    not: 'Not cancelled',
    undo: 'placed',
  });

/** Takes an animal back that was sold, on any day. It is available again. */
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

/** What a person changes of an animal. */
export type Correction = Pick<PetUpdate, 'name' | 'status'> & { readonly categoryId?: bigint | undefined };

const categoryWord = (shop: Shop, id: bigint): string => {
  const name = shop.categories.nameOf(id);
  return name === undefined ? `category ${id}` : short(name);
};

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
      : [`was moved from ${categoryWord(shop, categoryId)} to ${categoryWord(shop, change.categoryId)}`]),
    ...(change.status === undefined ? [] : [`is ${STATUS_WORDS[change.status]} now`]),
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

/** Moves an animal to another category. */
export const move =
  (categoryId: bigint): AnimalAction =>
  (shop, animal) =>
    correct(shop, animal, { categoryId }, { running: 'Moving…', what: `the move of ${short(animal.name)}` });

/** Makes an animal available that is reserved or sold without an order. */
export const makeAvailable: AnimalAction = (shop, animal) =>
  correct(shop, animal, { status: 'available' }, { what: `making ${short(animal.name)} available` });

/** Removes an animal from the inventory, for a reason or without one. */
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

/** Brings a removed animal back as it was. */
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

/* Categories. */

/** Adds a category. If one has this name by now, that one is found. */
export async function createCategory(shop: Shop, name: string, key = randomId()): Promise<Category> {
  try {
    const category = await shop.api.write((client, options) => client.createCategory({ name }, options), key);
    shop.cache.categories.change(category);
    return category;
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
    await shop.categories.load();
    const known = shop.categories.called(name);
    if (!known) throw error;
    return known;
  }
}

/** Adds a category, unless there is one with this name. */
export const addCategory = (shop: Shop, name: string): Action => ({
  subject: 'category-0',
  running: 'Adding…',
  what: `the category ${quoted(name)}`,
  run: async (key) => {
    const category = await shop.api.write((client, options) => client.createCategory({ name }, options), key);
    shop.cache.categories.change(category);
    return {
      text: `The category ${quoted(name)} was added.`,
      undo: undoing(removeCategory(shop, category), `the category ${quoted(name)} was removed`),
    };
  },
});

/** Names a category, or gives it another name. */
export function renameCategory(shop: Shop, id: bigint, name: string): Action {
  const before = shop.cache.categories.peek(id)?.name;
  const set = async (to: string, key: string) => {
    const category = await shop.api.write(
      (client, options) => client.setCategory(id, { name: to }, options),
      key,
    );
    shop.cache.categories.change(category);
  };
  const what = `the new name of ${before === undefined ? `category ${id}` : quoted(before)}`;
  const undo = (named: string): Action => ({
    subject: `category-${id}`,
    running: 'Undoing…',
    what: `undoing ${what}`,
    run: async (key) => {
      const now = shop.cache.categories.peek(id)?.name;
      if (now !== undefined && now !== name && now !== named)
        return { text: `Not undone: it is called ${quoted(now)} now.` };
      await set(named, key);
      return { text: `Undone: the category is called ${quoted(named)} again.` };
    },
  });
  return {
    subject: `category-${id}`,
    running: 'Saving…',
    what,
    run: async (key) => {
      await set(name, key);
      return before === undefined
        ? { text: `Category ${id} is called ${quoted(name)}.` }
        : { text: `${quoted(before)} was renamed to ${quoted(name)}.`, undo: undo(before) };
    },
  };
}

/** Removes a category without animals. */
export const removeCategory = (shop: Shop, { id, name }: Category): Action => ({
  subject: `category-${id}`,
  running: 'Removing…',
  what: `the removal of the category ${quoted(name)}`,
  run: async (key) => {
    await shop.api.write((client, options) => client.removeCategory(id, options), key);
    shop.cache.categories.remove(id);
    return {
      text: `The category ${quoted(name)} was removed.`,
      undo: undoing(renameCategory(shop, id, name), `the category ${quoted(name)} is there again`),
    };
  },
});

/** An action as the Undo of another one. */
const undoing = (action: Action, past: string): Action => ({
  ...action,
  running: 'Undoing…',
  run: async (key) => {
    await action.run(key);
    return { text: `Undone: ${past}.` };
  },
});

/**
 * Moves every animal of a category to another one, one after the other, and removes the category. It cannot be undone: nothing tells
 * afterwards which animals were moved. Without an answer it stops, and goes on where it was when the person asks for it.
 */
export function mergeCategory(shop: Shop, { id, name, inventory }: Category, into: Category): Action {
  const subject = `category-${id}` as const;
  const all = count(sum(inventory));
  let moved = 0;
  return {
    subject,
    running: `Moving… 0 of ${all}`,
    what: `the move from ${quoted(name)} to ${quoted(into.name)}`,
    run: async (key) => {
      for (;;) {
        const { items } = await shop.api.read((client, options) =>
          client.listPets({ categoryId: id, limit: 100 }, options),
        );
        if (items.length === 0) break;
        for (const pet of items) {
          const change = { categoryId: into.id };
          await shop.api.write((client, options) => client.updatePet(pet.id, change, options)).catch(gone);
          shop.running.set(subject, `Moving… ${count(++moved)} of ${all}`);
        }
      }
      await shop.api.write((client, options) => client.removeCategory(id, options), key).catch(gone);
      shop.cache.categories.remove(id);
      return { text: `${count(moved)} moved to ${quoted(into.name)}, and ${quoted(name)} was removed.` };
    },
  };
}

/** An animal that was removed meanwhile need not be moved; nor need a category be removed that has no name any more. */
function gone(error: unknown): void {
  if (statusOf(error) !== 404) throw error;
}

/* Several animals. */

/** What is done with several animals, in words: `sold`. */
interface Several {
  readonly running: string;
  /** `were sold` */
  readonly past: string;
}

/**
 * Does the same with several animals, one request for each, one after the other. One message tells of all of them, and its Undo takes back
 * each. Returns the ids of those with which it was done.
 */
export async function actOnSeveral(
  shop: Shop,
  animals: readonly Animal[],
  action: AnimalAction,
  { running, past }: Several,
): Promise<readonly bigint[]> {
  const done: { readonly id: bigint; readonly outcome: Outcome }[] = [];
  const { refusals } = await eachInTurn(shop, animals, running, async (animal) => {
    const result = await act(shop, action(shop, animal), { isSilent: true });
    if (result?.isDone) done.push({ id: animal.id, outcome: result.outcome });
    return result;
  });
  const [first] = done;
  // Of a single one, its own sentence says more.
  const sentence =
    done.length === 1 && first ? first.outcome.text : first ? `${summary(done.length, past)}.` : '';
  const undos = done.flatMap(({ outcome }) => outcome.undo ?? []).reverse();
  const text = sentenceWith(sentence, refusals);
  // The page asks for another key.
  if (text === '') return [];
  const undo: Offer = {
    label: 'Undo',
    description: `Undo: ${sentence}`,
    run: () => undoSeveral(shop, undos, past, id),
  };
  const id = shop.messages.say(
    refusals.length > 0 ? 'wrong' : 'done',
    text,
    undos.length > 0 ? undo : undefined,
  );
  return done.map(({ id: petId }) => petId);
}

async function undoSeveral(
  shop: Shop,
  undos: readonly Action[],
  past: string,
  message: number,
): Promise<void> {
  if (shop.running.at('selection') !== undefined) return;
  shop.messages.say('waiting', 'Undoing…', undefined, message);
  let undone = 0;
  let text = '';
  const { refusals } = await eachInTurn(shop, undos, 'Undoing', async (undo) => {
    const result = await act(shop, undo, { isSilent: true });
    if (result?.isDone) {
      undone++;
      text = result.outcome.text;
    }
    return result;
  });
  const sentence =
    undos.length === 1 && undone === 1
      ? text
      : undone === 0
        ? ''
        : `Undone: ${summary(undone, past)} before.`;
  const said = sentenceWith(sentence, refusals);
  if (said === '') shop.messages.close(message);
  else shop.messages.say(refusals.length > 0 ? 'wrong' : 'done', said, undefined, message);
}

async function eachInTurn<T>(
  shop: Shop,
  items: readonly T[],
  running: string,
  each: (item: T) => Promise<Result | undefined>,
): Promise<{ readonly refusals: readonly string[] }> {
  const refusals: string[] = [];
  try {
    for (const [index, item] of items.entries()) {
      shop.running.set('selection', `${running} ${count(index + 1)} of ${count(items.length)}…`);
      const result = await each(item);
      if (result && !result.isDone) refusals.push(result.text);
      // Without an answer, the others would have none either.
      if (!result || !(result.isDone || result.isRefused)) break;
    }
  } finally {
    shop.running.set('selection', undefined);
  }
  return { refusals };
}

const summary = (number: number, past: string): string =>
  `${count(number)} ${number === 1 ? `animal ${past.replace('were', 'was')}` : `animals ${past}`}`;

function sentenceWith(sentence: string, refusals: readonly string[]): string {
  const [first] = refusals;
  if (first === undefined) return sentence;
  const others = refusals.length > 1 ? ` ${count(refusals.length - 1)} more not.` : '';
  return `${sentence} ${first}${others}`.trim();
}
