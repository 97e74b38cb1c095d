import assert from 'node:assert/strict';
import { array, parse } from 'valibot';
import { Categories, type Category } from '../../src/contract/category.ts';
import type { Position } from '../../src/contract/cursor.ts';
import { foldText } from '../../src/contract/folded-text.ts';
import { parseJson } from '../../src/contract/json.ts';
import { Order } from '../../src/contract/order.ts';
import { ListedPet, type Pet, Pets } from '../../src/contract/pet.ts';
import type {
  CategoryQuery,
  OrderQuery,
  Page,
  PetQuery,
  RemovedPetQuery,
  Store,
} from '../../src/store/store.ts';

/** More than any list of a test has. */
const MOST_PAGES = 2000;

/** The documented rule of a search in plain words: whether a text contains every word, in any order, ignoring case and accents. */
export const hasWords = (text: string, searched: string): boolean =>
  foldText(searched)
    .split(/\s/)
    .every((word) => foldText(text).includes(word));

/** The JSON of a page. */
export const textOf = ({ json }: Page): string =>
  typeof json === 'string' ? json : new TextDecoder().decode(json);

export const listPets = async (store: Pick<Store, 'listPets'>, query: PetQuery): Promise<Pet[]> =>
  parse(Pets, parseJson(textOf(await store.listPets(query))));

export async function listOrders(store: Pick<Store, 'listOrders'>, query: OrderQuery): Promise<Order[]> {
  const items = parseJson(textOf(await store.listOrders(query)));
  return (items as unknown[]).map((item) => parse(Order, item));
}

export const listCategories = async (
  store: Pick<Store, 'listCategories'>,
  query: CategoryQuery,
): Promise<Category[]> => parse(Categories, parseJson(textOf(await store.listCategories(query))));

export const listRemovedPets = async (
  store: Pick<Store, 'listRemovedPets'>,
  query: RemovedPetQuery,
): Promise<ListedPet[]> => parse(array(ListedPet), parseJson(textOf(await store.listRemovedPets(query))));

/** The items of every page, one after the other. */
async function walk<T>(
  readPage: (from: Position | undefined) => Promise<Page>,
  read: (json: unknown) => T[],
): Promise<T[]> {
  const items: T[] = [];
  let from: Position | undefined;
  let page = 0;
  do {
    const found = await readPage(from);
    items.push(...read(parseJson(textOf(found))));
    from = found.next;
    assert.ok(page++ < MOST_PAGES, 'the walk ends');
  } while (from);
  return items;
}

export const walkRemovedPets = (store: Pick<Store, 'listRemovedPets'>, query: RemovedPetQuery) =>
  walk(
    (from) => store.listRemovedPets({ ...query, from }),
    (json) => parse(array(ListedPet), json),
  );

export const walkOrders = (store: Pick<Store, 'listOrders'>, query: OrderQuery) =>
  walk(
    (from) => store.listOrders({ ...query, from }),
    (json) => parse(array(Order), json),
  );

export const walkPets = (store: Pick<Store, 'listPets'>, query: PetQuery) =>
  walk(
    (from) => store.listPets({ ...query, from }),
    (json) => parse(Pets, json),
  );
