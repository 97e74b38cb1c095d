import type { CategoryName } from '../contract/category.ts';
import { categoryEvent, type NewEvent, orderEvent, petEvent } from '../contract/event.ts';
import type { Order } from '../contract/order.ts';
import type { Pet } from '../contract/pet.ts';
import { changeOrder, createOrder } from '../contract/rules/orders.ts';
import { picker, randomNumbers, sampleCategories, samplePets } from './samples.ts';

/** Names of API keys. None of them has to exist: an order and an event keep the name that a key had. */
const TILLS = ['till 1', 'till 2'];
const CUSTOMERS = [
  ...['Ms Lee', 'Mr Okafor', 'Mrs Novak', 'Ms Brandt', 'Mr Haddad', 'Ms Adeyemi', 'Tomasz', 'Mrs Ferreira'],
  ...['Mr Lindqvist', 'Ms Rossi', 'Mr Tanaka', 'Ms Kowalska', 'Dr Patel', 'Mrs Jansen', 'Zoë', 'Mr Dubois'],
];

const DAYS = 28;
const OPENS_AT = 9;
const CLOSES_AT = 18;

// Parts of the time in which the shop was open.
const BETWEEN_DELIVERIES = 1 / 12;
const RESERVED_SINCE = 0.75;
const COLLECTED_WITHIN = 0.15;

export interface SampleShop {
  readonly pets: readonly Pet[];
  readonly categories: readonly CategoryName[];
  readonly orders: readonly Order[];
  readonly events: readonly (NewEvent & {
    readonly id: bigint;
    readonly at: Date;
    readonly keyName: string;
  })[];
}

/**
 * The sample animals, and what has happened to them in the weeks before `now`: each that is reserved or sold has its order, and each change has its
 * event, by the rules of the contract. The same seed leads to the same history.
 */
export function sampleShop(count: number, seed: number, now: Date): SampleShop {
  const random = randomNumbers(seed);
  const pick = picker(random);
  const timeAt = openingHours(now);
  const after = (moment: number, within = 1) => moment + Math.min(within, 1 - moment) * random();
  const pets: Pet[] = [];
  const orders: Order[] = [];
  const steps: { at: Date; by: string; change: (stamp: { at: string; by: string }) => NewEvent }[] = [];
  const addStep = (at: Date, by: string, change: (typeof steps)[number]['change']) =>
    steps.push({ at, by, change });

  for (const category of sampleCategories)
    addStep(timeAt(0), 'office', () => categoryEvent('category.created', category));
  for (const [i, { status, ...animal }] of [...samplePets(count, seed)].entries()) {
    const pet: Pet = { id: BigInt(i + 1), ...animal, status: 'available' };
    pets.push(pet);
    // The first delivery is the largest.
    const arrival = Math.floor((i / count) ** 2 / BETWEEN_DELIVERIES) * BETWEEN_DELIVERIES;
    addStep(timeAt(arrival), 'office', () => petEvent('pet.created', pet));
    if (status === 'available') continue;

    const isReserved = status === 'pending' || random() < 0.5;
    const ordered = after(status === 'pending' ? Math.max(arrival, RESERVED_SINCE) : arrival);
    const completed = timeAt(after(ordered, COLLECTED_WITHIN));
    const collected =
      status === 'sold' ? completed : hourOf(now, pick([1, 2, 3, 4]), pick([10, 11, 12, 14, 15, 16, 17]));
    const collects = ` collects on ${weekday(collected)} after ${collected.getHours()}:00`;
    const note = isReserved || random() < 0.3 ? pick(CUSTOMERS) + (isReserved ? collects : '') : undefined;
    let order: Order;
    addStep(timeAt(ordered), pick(isReserved ? [...TILLS, 'web shop'] : TILLS), (stamp) => {
      const newOrder = { petId: pet.id, note, status: isReserved ? 'placed' : 'completed' } as const;
      const created = createOrder(pet, newOrder, stamp);
      order = { id: BigInt(orders.length + 1), ...created.order };
      orders.push(order);
      pets[i] = created.pet;
      return orderEvent(`order.${order.status}`, order, created.pet);
    });
    if (status === 'pending' || !isReserved) continue;
    addStep(completed, pick(TILLS), (stamp) => {
      const sale = changeOrder(
        order,
        pets[i],
        { open: order, sale: undefined },
        { status: 'completed' },
        stamp,
      );
      orders[Number(order.id) - 1] = sale.order;
      pets[i] = sale.pet as Pet;
      return sale.event as NewEvent;
    });
  }
  steps.sort((a, b) => a.at.getTime() - b.at.getTime());
  const events = steps.map(({ at, by, change }, i) => {
    const event = change({ at: at.toISOString(), by });
    return { ...event, id: BigInt(i + 1), at, keyName: by };
  });
  return { pets, categories: sampleCategories, orders, events };
}

/** The time at a moment, from 0 to 1, of the opening hours until now. */
function openingHours(now: Date): (moment: number) => Date {
  let openMs = 0;
  const days = Array.from({ length: DAYS + 1 }, (_, i) => {
    const opens = hourOf(now, i - DAYS, OPENS_AT).getTime();
    const closes = Math.min(now.getTime(), hourOf(now, i - DAYS, CLOSES_AT).getTime());
    const before = openMs;
    openMs += Math.max(0, closes - opens);
    return { opens, before };
  });
  return (moment) => {
    const open = moment * openMs;
    const day = days.findLast(({ before }) => before <= open) as { opens: number; before: number };
    return new Date(Math.min(now.getTime(), day.opens + open - day.before));
  };
}

const hourOf = (now: Date, day: number, hour: number): Date =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() + day, hour);

const weekday = (date: Date): string => date.toLocaleDateString('en', { weekday: 'long' });
