import { randomId } from '../../../../client/call.ts';
import type { Order, OrderUpdate, Pet } from '../../../../client/index.ts';
import { short, statusWord } from '../parts/wording.ts';
import { act, done, failed, isFinal, type Result, statusOf } from './act.ts';
import { loadPets } from './find.ts';
import { loadOrder } from './find-orders.ts';
import { signedIn } from './session.ts';
import { orders, petOf, reservations, updatePet } from './store.ts';

/** A reservation whose outcome is not known yet: trying the same again never orders twice. */
interface Attempt {
  readonly note: string | undefined;
  readonly idempotencyKey: string;
}

const attempts = new Map<bigint, Attempt>();

type Closing = NonNullable<OrderUpdate['status']>;

export async function reserve(pet: Pet, note?: string): Promise<void> {
  await act(
    [`animal-${pet.id}`],
    'Reserving…',
    () => reserve(pet, note),
    () => placeAgain(pet, note),
  );
}

async function placeAgain(pet: Pet, note: string | undefined): Promise<Result> {
  const order = await place(pet, note);
  return order
    ? done(`${short(pet.name)} is reserved.`, () => close(order, 'cancelled', 'Undoing…'))
    : failed(`Not reserved: ${await presentState(pet)}`);
}

/** Reserves and completes in one step. */
export async function sell(pet: Pet, note?: string): Promise<void> {
  await act(
    [`animal-${pet.id}`],
    'Selling…',
    () => sell(pet, note),
    async () => {
      const order = reservations.peek().get(pet.id) ?? (await place(pet, note));
      if (!order) return failed(`Not sold: ${await presentState(pet)}`);
      return finish(order, 'completed', () => takeBack(order, false, 'Undoing…'));
    },
  );
}

export const complete = (order: Order): Promise<void> => close(order, 'completed', 'Completing…');
export const cancel = (order: Order): Promise<void> => close(order, 'cancelled', 'Cancelling…');
/** Takes an animal back that was sold, on any day. */
export const returnSale = (order: Order): Promise<void> => takeBack(order, false, 'Taking back…');

async function close(order: Order, status: 'completed' | 'cancelled', busy: string): Promise<void> {
  const pet = petOf(order.petId);
  const undo = {
    completed: () => takeBack(order, true, 'Undoing…'),
    cancelled: pet && (() => reserve({ ...pet, status: 'available' }, order.note)),
  };
  await act(
    placesOf(order),
    busy,
    () => close(order, status, busy),
    () => finish(order, status, undo[status]),
  );
}

/** Returns a sold animal. One that was reserved before is reserved again, with its note. */
async function takeBack(order: Order, wasReserved: boolean, busy: string): Promise<void> {
  await act(
    placesOf(order),
    busy,
    () => takeBack(order, wasReserved, busy),
    async () => {
      const pet = petOf(order.petId);
      const result = await finish(
        order,
        'returned',
        pet && (() => sell({ ...pet, status: 'available' }, order.note)),
      );
      if (!wasReserved || !pet || result.outcome.kind === 'failed') return result;
      return placeAgain({ ...pet, status: 'available' }, order.note);
    },
  );
}

const placesOf = ({ id, petId }: Order) => [`order-${id}`, `animal-${petId}`] as const;

/** The order of ours that is open now; undefined when another buyer was faster or the order was closed meanwhile. */
async function place(pet: Pet, note: string | undefined): Promise<Order | undefined> {
  const known = attempts.get(pet.id);
  const attempt = known && known.note === note ? known : { note, idempotencyKey: randomId() };
  attempts.set(pet.id, attempt);
  const { writes, signal } = signedIn();
  const { idempotencyKey } = attempt;
  const wanted = { petId: pet.id, ...(note && { note }) };
  const order = await writes.createOrder(wanted, { idempotencyKey, signal }).catch((error) => {
    if (isFinal(error)) attempts.delete(pet.id);
    if (statusOf(error) === 409) return undefined;
    throw error;
  });
  attempts.delete(pet.id);
  // The answer to a repeated attempt is that of the first one: the order may have been closed since.
  const now = order && (await loadOrder(order.id));
  if (now?.status !== 'placed') return undefined;
  reservations.value = new Map([...reservations.peek(), [pet.id, now]]);
  updatePet({ ...pet, status: 'pending' });
  return now;
}

async function finish(order: Order, status: Closing, undo?: () => Promise<void>): Promise<Result> {
  const pet = petOf(order.petId);
  const name = short(pet?.name ?? `animal ${order.petId}`);
  const { writes, signal } = signedIn();
  try {
    orders.update(await writes.updateOrder(order.id, { status }, { signal }));
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
    const now = await loadOrder(order.id);
    orders.update(now);
    // Ours after all, if it has this status: an earlier attempt whose answer was lost has done it.
    if (now.status !== status) return failed(refusal(now, status));
  }
  reservations.value = new Map([...reservations.peek()].filter(([petId]) => petId !== order.petId));
  if (pet) updatePet({ ...pet, status: status === 'completed' ? 'sold' : 'available' });
  return done(status === 'completed' ? `${name} is sold.` : `${name} is available again.`, undo);
}

const refusal = (now: Order, wanted: Closing): string =>
  wanted === 'returned' && now.status === 'completed'
    ? 'Not undone: the animal has changed since'
    : `Already ${statusWord(now.status).toLowerCase()}`;

/** Why an animal could not be reserved, with the state it is in now. */
async function presentState(pet: Pet): Promise<string> {
  const [now] = await loadPets([pet.id]).catch(() => []);
  if (now) updatePet(now);
  if (now?.status === 'available') return 'it was reserved and cancelled meanwhile';
  return now ? `it is ${statusWord(now.status).toLowerCase()} already` : 'someone was faster';
}
