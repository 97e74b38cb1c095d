import { AnimalStoreError, type Order, type OrderStatus, type Pet } from '../../../client/index.ts';
import { randomId } from '../shared/random-id.ts';
import { troubleKind } from './connection.ts';
import { animals, orders, petNames, signedIn } from './data.ts';
import { notify } from './notices.ts';
import { refreshNow } from './refresh.ts';
import { routeHref } from './route.ts';
import { isExplained } from './session.ts';
import { short, troubleText } from './wording.ts';

/** The Idempotency-Key of each reservation whose outcome is not known yet: trying again never orders twice. */
const reserving = new Map<bigint, string>();

export async function reserve(pet: Pet): Promise<void> {
  const idempotencyKey = reserving.get(pet.id) ?? randomId();
  reserving.set(pet.id, idempotencyKey);
  try {
    const { writes, signal } = signedIn();
    const order = await writes.createOrder({ petId: pet.id }, { idempotencyKey, signal });
    reserving.delete(pet.id);
    animals.update({ ...pet, status: 'pending' });
    const link = { href: routeHref({ view: 'orders', status: 'placed' }), text: 'See open orders' };
    notify({ kind: 'done', text: `${short(pet.name)} is reserved. Order ${order.id} is open.`, link });
  } catch (error) {
    if (statusOf(error) === 409) await reportTaken(pet);
    else reportFailure(error, `${short(pet.name)} could not be reserved.`);
    if (isFinal(error)) reserving.delete(pet.id);
  }
  await refreshNow();
}

/** Another buyer was faster. Says so, with the state the animal is in now. */
async function reportTaken(pet: Pet): Promise<void> {
  const { reads, signal } = signedIn();
  const found = await reads.listPets({ id: pet.id }, { signal }).catch(() => undefined);
  const now = found?.items[0];
  if (now) animals.update(now);
  const state = now ? ` It is ${now.status} now.` : '';
  notify({ kind: 'problem', text: `Another buyer was faster: ${short(pet.name)} is taken.${state}` });
}

export async function closeOrder(order: Order, status: 'completed' | 'cancelled'): Promise<void> {
  const name = short(petNames.peek().get(order.petId) ?? `Animal ${order.petId}`);
  const done =
    status === 'completed' ? `is completed. ${name} is sold.` : `is cancelled. ${name} is available again.`;
  try {
    const { writes, signal } = signedIn();
    orders.update(await writes.updateOrder(order.id, { status }, { signal }));
    notify({ kind: 'done', text: `Order ${order.id} ${done}` });
  } catch (error) {
    if (statusOf(error) !== 409) reportFailure(error, `Order ${order.id} could not be changed.`);
    else {
      const now = await currentStatus(order);
      // Ours after all: an earlier attempt whose answer was lost has done it.
      if (now === status) notify({ kind: 'done', text: `Order ${order.id} ${done}` });
      else
        notify({
          kind: 'problem',
          text: `Order ${order.id} was closed elsewhere${now ? `: it is ${now}` : ''}.`,
        });
    }
  }
  await refreshNow();
}

async function currentStatus({ id }: Order): Promise<OrderStatus | undefined> {
  await orders.refresh().catch(() => {});
  return orders.items.peek()?.find((order) => order.id === id)?.status;
}

const statusOf = (error: unknown): number => (error instanceof AnimalStoreError ? error.status : 0);

/** Whether the service has said no, so that another attempt is a new one. */
const isFinal = (error: unknown): boolean => [400, 404, 409, 422].includes(statusOf(error));

function reportFailure(error: unknown, what: string): void {
  if (!(error instanceof AnimalStoreError)) throw error;
  if (isExplained(error)) return;
  if (isFinal(error)) notify({ kind: 'problem', text: `${what} ${error.message}` });
  else
    notify({
      kind: 'problem',
      text: `${what} ${troubleText[troubleKind(error)]} It is safe to try again.`,
    });
}
