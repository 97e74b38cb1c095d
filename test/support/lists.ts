import { parse } from 'valibot';
import { parseJson } from '../../src/contract/json.ts';
import { Order } from '../../src/contract/order.ts';
import { type Pet, Pets } from '../../src/contract/pet.ts';
import type { OrderQuery, Page, PetQuery, Store } from '../../src/store/store.ts';

/** The JSON of a page. */
export const textOf = ({ json }: Page): string =>
  typeof json === 'string' ? json : new TextDecoder().decode(json);

/** The items of a page of the store. */
export const listPets = async (store: Pick<Store, 'listPets'>, query: PetQuery): Promise<Pet[]> =>
  parse(Pets, parseJson(textOf(await store.listPets(query))));

export async function listOrders(store: Pick<Store, 'listOrders'>, query: OrderQuery): Promise<Order[]> {
  const items = parseJson(textOf(await store.listOrders(query)));
  return (items as unknown[]).map((item) => parse(Order, item));
}
