import { signal } from '@preact/signals';
import type { Inventory, Order, OrderQuery, Pet, PetQuery } from '../../../client/index.ts';
import { watched } from './connection.ts';
import { List } from './list.ts';
import { route } from './route.ts';
import { type Session, session } from './session.ts';

/** What the page shows of the store. */
export const inventory = signal<Inventory | undefined>(undefined);
export const animals = new List<Pet, PetQuery>({}, (query) =>
  read(({ reads, signal }) => reads.listPets(query, { signal })),
);
export const orders = new List<Order, OrderQuery>({}, (query) =>
  read(({ reads, signal }) => reads.listOrders(query, { signal })),
);
/** When everything on the page was last loaded. */
export const loadedAt = signal<Date | undefined>(undefined);

/** Names by id, for the orders. A name never changes. */
export const petNames = signal<ReadonlyMap<bigint, string>>(new Map());

export function signedIn(): Session {
  if (!session.value) throw new Error('Not signed in.');
  return session.value;
}

const read = <T>(call: (session: Session) => Promise<T>): Promise<T> => watched(call(signedIn()));

/** Loads what the address asks for. */
export function openRoute(): Promise<void> {
  const to = route.peek();
  return to.view === 'orders'
    ? loadAll(orders.open({ status: to.status }))
    : loadAll(animals.open({ status: to.status, name: to.name || undefined }));
}

/** Loads what is on screen again: two requests, three when an order is of an animal not met before. */
export function refreshAll(): Promise<void> {
  return loadAll(route.peek().view === 'orders' ? orders.refresh() : animals.refresh());
}

async function loadAll(list: Promise<void>): Promise<void> {
  const counted = read(({ reads, signal }) => reads.getInventory({ signal }));
  await Promise.all([list, counted.then((counts) => (inventory.value = counts))]);
  await loadNames();
  loadedAt.value = new Date();
}

async function loadNames(): Promise<void> {
  if (route.peek().view !== 'orders') return;
  const wanted = new Set((orders.items.peek() ?? []).map(({ petId }) => petId));
  const missing = [...wanted].filter((id) => !petNames.peek().has(id)).slice(0, 100);
  if (missing.length === 0) return;
  const found = await read(({ reads, signal }) => reads.listPets({ id: missing, limit: 100 }, { signal }));
  petNames.value = new Map([...petNames.peek(), ...found.items.map(({ id, name }) => [id, name] as const)]);
}

export function forgetAll(): void {
  inventory.value = undefined;
  loadedAt.value = undefined;
  petNames.value = new Map();
  animals.clear();
  orders.clear();
}
