import type { ListedPet, Page, PetQuery } from '../../../../client/index.ts';
import { watched } from './connection.ts';
import type { Source } from './list.ts';
import { markRemoved } from './removed.ts';
import { type Session, signedIn } from './session.ts';

/** The most that one request asks for. */
export const MOST = 100;
export const WHOLE_NUMBER = /^\d{1,18}$/;

export const read = <T>(call: (session: Session) => Promise<T>): Promise<T> => watched(call(signedIn()));

/** A text of digits is a name or an id. */
export async function findAnimals(query: (PetQuery & { limit: number }) | string): Promise<Page<ListedPet>> {
  const isRemoved = typeof query === 'string' ? /[?&]removed=true/.test(query) : query.removed === true;
  const list = async (of: PetQuery | string) => {
    const page = await read(({ reads, signal }) => reads.listPets(of, { signal }));
    markRemoved(
      page.items.map(({ id }) => id),
      isRemoved,
    );
    return page;
  };
  if (typeof query === 'string' || !WHOLE_NUMBER.test(query.name ?? '')) return list(query);
  const { status, name, categoryId } = query;
  const [byId, byName] = await Promise.all([
    list({ id: BigInt(name ?? 0), status, categoryId }),
    list(query),
  ]);
  const found = new Set(byId.items.map(({ id }) => id));
  return {
    items: [...byId.items, ...byName.items.filter(({ id }) => !found.has(id))],
    next: byName.next,
  };
}

/** An animal that cannot be found by its id was removed. */
async function lookUpAnimals(pets: readonly ListedPet[]): Promise<readonly ListedPet[]> {
  const ids = pets.map(({ id }) => id);
  const found = await loadPets(ids);
  const present = new Set(found.map(({ id }) => id));
  markRemoved([...present], false);
  markRemoved(
    ids.filter((id) => !present.has(id)),
    true,
  );
  return found;
}

export async function loadPets(ids: readonly bigint[]): Promise<ListedPet[]> {
  const found: ListedPet[] = [];
  for (let from = 0; from < ids.length; from += MOST) {
    const id = ids.slice(from, from + MOST);
    found.push(...(await read(({ reads, signal }) => reads.listPets({ id, limit: MOST }, { signal }))).items);
  }
  return found;
}

/** Animals by a part of their name, by id, by status and category. */
export const animalSource: Source<ListedPet, PetQuery> = {
  page: findAnimals,
  lookUp: lookUpAnimals,
  lookUps: MOST,
  mayChange: () => true,
};
