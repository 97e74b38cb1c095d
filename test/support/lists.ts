import { parse } from 'valibot';
import { parseJson } from '../../src/contract/json.ts';
import { Order } from '../../src/contract/order.ts';
import { type Pet, Pets } from '../../src/contract/pet.ts';
import type { OrderQuery, PetQuery, Store } from '../../src/store/store.ts';

/** The items of a page of the store. */
export const listPets = async (store: Pick<Store, 'listPets'>, query: PetQuery): Promise<Pet[]> =>
  parse(Pets, parseJson((await store.listPets(query)).json));

export async function listOrders(store: Pick<Store, 'listOrders'>, query: OrderQuery): Promise<Order[]> {
  const items = parseJson((await store.listOrders(query)).json);
  return (items as unknown[]).map((item) => parse(Order, item));
}
