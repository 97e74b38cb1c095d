import { computed, signal } from '@preact/signals';
import type {
  Event,
  EventQuery,
  Inventory,
  ListedPet,
  Order,
  Pet,
  PetQuery,
} from '../../../../client/index.ts';
import { type Route, route } from '../route.ts';
import { loadCategories, loadUnnamedCategories } from './categories.ts';
import { animalSource, loadPets, MOST, read } from './find.ts';
import { eventSource, loadEvents } from './find-events.ts';
import { type OrderSearch, orderSource } from './find-orders.ts';
import { keys } from './keys.ts';
import { List } from './list.ts';
import { may, mayOpen } from './permissions.ts';
import { removed } from './removed.ts';

/** The latest orders of the animal in the panel. */
const HISTORY = 10;

export const animals = new List<ListedPet, PetQuery>({}, animalSource);
export const orders = new List<Order, OrderSearch>({}, orderSource);
/** What has happened, the latest first. */
export const activity = new List<Event, EventQuery>({}, eventSource);

/** How many animals there are by status. */
export const inventory = signal<Inventory | undefined>(undefined);
/** When everything on the page was last loaded. */
export const loadedAt = signal<Date | undefined>(undefined);
/** Animals that were loaded by their id: those of the orders, and the one in the panel. */
export const petsById = signal<ReadonlyMap<bigint, Pet>>(new Map());
/** The order that waits for each reserved animal, as far as it is known. */
export const reservations = signal<ReadonlyMap<bigint, Order>>(new Map());

interface History {
  readonly of: bigint | undefined;
  readonly orders: readonly Order[];
  /** Undefined where the key does not open them. */
  readonly events: readonly Event[] | undefined;
}

const NO_HISTORY: History = { of: undefined, orders: [], events: undefined };

/** The latest orders of one animal, and what has happened to it. */
export const history = signal(NO_HISTORY);

/** The animal in the panel. */
export const openPet = computed(() => {
  const id = route.value.animal;
  return id === undefined ? undefined : petOf(id);
});

/** The state of an animal that was loaded last. */
export const petOf = (id: bigint): ListedPet | undefined =>
  animals.items.value?.find((pet) => pet.id === id) ?? petsById.value.get(id);

/** Shows the new state of an animal wherever it is. */
export function updatePet(pet: Pet): void {
  animals.update(pet);
  petsById.value = new Map([...petsById.peek(), [pet.id, pet]]);
}

/** Loads what the address asks for, with as many rows as were shown when the person left it. */
export function openRoute(count?: number): Promise<void> {
  const to = route.peek();
  if (!mayOpen(to.view)) return loadAll();
  if (to.view === 'categories') return loadAll(loadCategories(true).then(loadUnnamedCategories));
  if (to.view === 'activity') return loadAll(activity.open({}, count));
  if (to.view === 'keys') return loadAll(keys.open({}, count));
  if (to.view === 'more') return loadAll();
  if (to.view === 'orders') {
    const { status, of, name } = to;
    return loadAll(orders.open({ status, petId: of, text: name || undefined }, count));
  }
  return loadAll(animals.open(animalQuery(to), count));
}

/** The animals that an address asks for. */
export const animalQuery = (to: Route): PetQuery =>
  to.view === 'animals'
    ? { status: to.status, name: to.name || undefined, categoryId: to.category }
    : { removed: true };

/** Loads what is on screen again. */
export function refreshAll(): Promise<void> {
  const { view } = route.peek();
  if (['categories', 'more'].includes(view) || !mayOpen(view)) return loadAll();
  if (view === 'activity') return loadAll(activity.refresh());
  if (view === 'keys') return loadAll(keys.refresh());
  return loadAll(view === 'orders' ? orders.refresh() : animals.refresh());
}

/** Loads what the page needs, as far as the key allows it. */
async function loadAll(list?: Promise<void>): Promise<void> {
  const [seesAnimals, seesOrders] = [may('pets:read'), may('store:read')];
  await Promise.all([list, seesOrders && loadInventory(), seesAnimals && loadCategories()]);
  await Promise.all([seesOrders && loadReservations(), seesAnimals && loadNeededPets()]);
  await loadHistory();
  loadedAt.value = new Date();
}

let inventoryRequests = 0;
let inventoryShown = 0;

async function loadInventory(): Promise<void> {
  const number = ++inventoryRequests;
  const counts = await read(({ reads, signal }) => reads.getInventory({ signal }));
  // Answers may overtake each other.
  if (number < inventoryShown) return;
  inventoryShown = number;
  inventory.value = counts;
}

/** The animals that the page shows by their id: of the orders on screen, and the one in the panel. */
async function loadNeededPets(): Promise<void> {
  const to = route.peek();
  const ofOrders = to.view === 'orders' ? (orders.items.peek() ?? []).map(({ petId }) => petId) : [];
  const of = to.view === 'orders' ? to.of : undefined;
  const needed = new Set([to.animal, of, ...ofOrders].filter((id) => id !== undefined));
  const missing = [...needed].filter((id) => !petsById.peek().has(id));
  // What is known already may have changed; the newest are looked at again.
  const again = [...needed].filter((id) => petsById.peek().has(id)).slice(0, MOST);
  const found = await loadPets([...missing, ...again]);
  if (found.length > 0)
    petsById.value = new Map([...petsById.peek(), ...found.map((pet) => [pet.id, pet] as const)]);
}

export async function loadReservations(): Promise<void> {
  const isNeeded = openPet.peek()?.status === 'pending' || animals.items.peek()?.some(isReserved);
  if (!isNeeded) return;
  const page = await read(({ reads, signal }) =>
    reads.listOrders({ status: 'placed', limit: MOST }, { signal }),
  );
  reservations.value = new Map(page.items.map((order) => [order.petId, order]));
}

/** Loads what the panel shows: the animal, unless a list on the page has it, and its history. */
export async function loadPanel(): Promise<void> {
  if (may('pets:read') && !openPet.peek()) await loadNeededPets();
  await loadHistory();
}

/** The orders of the animal in the panel, and with them its open order, however old that is. */
async function loadHistory(): Promise<void> {
  const { animal } = route.peek();
  if (animal === undefined) return;
  const [orders, events] = await Promise.all([
    may('store:read') ? loadOrdersOf(animal) : [],
    may('events:read') ? loadEvents(animal) : undefined,
  ]);
  history.value = { of: animal, orders, events };
  const open = orders.find(({ status }) => status === 'placed');
  if (open) reservations.value = new Map([...reservations.peek(), [animal, open]]);
}

const loadOrdersOf = async (petId: bigint): Promise<readonly Order[]> =>
  (await read(({ reads, signal }) => reads.listOrders({ petId, limit: HISTORY }, { signal }))).items;

const isReserved = ({ status }: Pet): boolean => status === 'pending';

export function forgetAll(): void {
  inventory.value = undefined;
  loadedAt.value = undefined;
  petsById.value = new Map();
  reservations.value = new Map();
  removed.value = new Set();
  history.value = NO_HISTORY;
  activity.clear();
  animals.clear();
  orders.clear();
  keys.clear();
}
