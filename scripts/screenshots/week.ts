import { setTimeout as sleep } from 'node:timers/promises';
import { AnimalStore, type KeyScope, type NewPet, type Order } from '../../src/client/index.ts';
import type { Service } from './service.ts';
import { CATEGORIES, LATEST, STOCK } from './stock.ts';

/** The time on the clocks of the service and of the browser. It is fixed, so that the screenshots change only with the pages. */
export const PRESENT = at('17 15:10');

/** When the shop started to use the service. */
export const BEGINNING = at('02 09:10');

/** `16 10:30` is Monday, 16 November 2026, in UTC. */
function at(dayAndTime: string): Date {
  return new Date(`2026-11-${dayAndTime.replace(' ', 'T')}:00Z`);
}

const TILL = ['pets:read', 'store:write', 'events:read'] as const satisfies KeyScope[];

/** A week in a shop with some three hundred animals. */
export async function fillShop(service: Service): Promise<void> {
  const office = clientOf(service, service.officeKey);
  const till1 = await createTill(service, 'till 1');
  const till3 = await createTill(service, 'till 3');
  await office.createKey({ name: 'shop window', scopes: ['pets:read', 'store:read', 'events:read'] });
  const ids = new Map<string, bigint>();
  const add = async (animals: readonly NewPet[]) => {
    for (let from = 0; from < animals.length; from += 100)
      for (const { id, name } of await office.createPets(animals.slice(from, from + 100))) ids.set(name, id);
  };
  const idOf = (name: string) => ids.get(name) ?? 0n;
  const orders = new Map<string, Order>();
  const order = (status: 'placed' | 'completed') => async (till: AnimalStore, name: string, note?: string) =>
    void orders.set(name, await till.createOrder({ petId: idOf(name), note, status }));
  const [reserve, sell] = [order('placed'), order('completed')];
  const close = async (till: AnimalStore, name: string, status: 'completed' | 'cancelled' | 'returned') =>
    void (await till.updateOrder(orders.get(name)?.id ?? 0n, { status }));
  const remove = (name: string, reason: string) => office.removePet(idOf(name), { reason });

  for (const [index, name] of CATEGORIES.entries()) await office.setCategory(index + 1, { name });
  await add(STOCK);

  const days: readonly (readonly [time: string, what: () => Promise<unknown>])[] = [
    ['12 10:20', () => add(LATEST.slice(0, 20))],
    [
      '12 11:08',
      () => reserve(till1, 'Mango', 'deposit paid, 20 in cash; the cage and a week of food go with it'),
    ],
    ['13 10:30', () => reserve(till3, 'Willow', 'for Tomasz, after school')],
    ['13 16:42', () => remove('Peanut', 'Given away')],
    ['14 11:20', () => sell(till3, 'Tango')],
    ['14 17:05', () => reserve(till1, 'Pepper')],
    ['15 09:02', () => remove('Guppy 7', 'Died')],
    ['16 09:30', () => add([...LATEST.slice(20), { name: 'Bisquit', categoryId: 1 }])],
    ['16 10:30', () => sell(office, 'Coco')],
    ['16 11:15', () => reserve(till1, 'Bisquit')],
    ['16 12:15', () => sell(till1, 'Figaro', 'Mrs Novak, for her son')],
    ['16 14:31', () => reserve(till3, 'Noodle', 'Mr Okafor collects on Wednesday')],
    ['16 15:44', () => close(till1, 'Figaro', 'returned')],
    ['16 15:47', () => reserve(till3, 'Kiwi', 'Ms Brandt, call before noon')],
    ['16 17:20', () => sell(till3, 'Olive')],
    ['16 17:48', () => close(till1, 'Bisquit', 'cancelled')],
    ['17 09:31', () => office.updatePet(idOf('Bisquit'), { name: 'Biscuit' })],
    ['17 09:40', () => remove('Rex again', 'Mistake')],
    ['17 10:02', () => sell(till1, 'Iggy')],
    ['17 11:36', () => sell(till3, 'Shadow', 'for Ms Adeyemi')],
    ['17 13:41', () => sell(till1, 'Rex', 'for the Haddad family')],
    ['17 14:02', () => reserve(till3, 'Bisquit', 'for Ms Lee, Friday')],
    ['17 14:20', () => sell(till3, 'Juniper')],
  ];
  for (const [time, happens] of days) {
    await service.setClock(at(time));
    await happens();
  }
  await service.setClock(PRESENT);
}

const clientOf = ({ origin }: Service, apiKey: string) =>
  new AnimalStore({ baseUrl: `${origin}/v1`, apiKey });

async function createTill(service: Service, name: string): Promise<AnimalStore> {
  const { key } = await clientOf(service, service.officeKey).createKey({ name, scopes: TILL });
  const till = clientOf(service, key);
  // Every process accepts a new key within a second.
  while (!(await till.getCurrentKey().catch(() => undefined))) await sleep(50);
  return till;
}

/** Two animals come in at another till. */
export async function addTwo(service: Service): Promise<void> {
  await clientOf(service, service.officeKey).createPets([
    { name: 'Marble', categoryId: 2 },
    { name: 'Thumper', categoryId: 5 },
  ]);
}
