import type { PetUpdate, PetWithEtag } from '../../../../../client/index.ts';
import { short, statusWord } from '../../parts/wording.ts';
import { type Animal, animalFrom } from '../cache/animal.ts';
import { statusOf } from '../connection.ts';
import type { Shop } from '../shop.ts';
import { act, done, failed } from './act.ts';

/** How often a change is tried again because someone else has changed something else meanwhile. */
const ATTEMPTS = 5;

export type Correction = Pick<PetUpdate, 'name' | 'status'> & { readonly categoryId?: bigint | undefined };
type Field = keyof Correction;

const fieldsOf = (change: Correction) => Object.keys(change) as Field[];

/** The animal as it is now, with the etag on which a change of it is based. */
async function readForChange(shop: Shop, id: bigint): Promise<PetWithEtag> {
  const asked = shop.cache.sequence.next();
  // A change without a field is the read that returns an etag and is not deprecated.
  const pet = await shop.api.read((client, options) => client.updatePet(id, {}, options));
  shop.cache.animals.receive([animalFrom(pet)], asked);
  return pet;
}

/**
 * Changes the given fields of an animal, where `before` has the values that the person has seen in them. If someone else has given one of
 * them another value since, nothing changes, and the result is the animal as it is now. What else has changed makes no difference. Trying
 * again is based on what an earlier attempt has left, and so changes nothing twice.
 */
export async function correct(
  shop: Shop,
  id: bigint,
  before: Correction,
  change: Correction,
): Promise<Animal | undefined> {
  for (let attempt = 1; ; attempt++) {
    const now = await readForChange(shop, id);
    if (fieldsOf(change).some((field) => now[field] !== before[field] && now[field] !== change[field]))
      return animalFrom(now);
    try {
      const pet = await shop.api.write((client, options) =>
        // A proxy may have removed the etag.
        client.updatePet(id, change, { ...options, ifMatch: now.etag || undefined }),
      );
      shop.cache.animals.change(animalFrom(pet));
      return undefined;
    } catch (error) {
      if (statusOf(error) !== 412 || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Changes fields of an animal, and offers to take that back. Returns the animal as it is now if someone else has changed them. */
export async function correctWithUndo(
  shop: Shop,
  animal: Animal,
  before: Correction,
  change: Correction,
): Promise<Animal | undefined> {
  const now = await correct(shop, animal.id, before, change);
  if (now) return now;
  const { outcome, spoken } = corrected(shop, animal, before, change);
  shop.outcomes.report(`animal-${animal.id}`, outcome, spoken);
  shop.changed();
  return undefined;
}

const corrected = (shop: Shop, animal: Animal, before: Correction, change: Correction) =>
  done(`${short(change.name ?? animal.name)} is changed.`, {
    what: describe(animal, change),
    run: () => changeBack(shop, animal, change, before),
  });

function changeBack(shop: Shop, animal: Animal, before: Correction, change: Correction): Promise<boolean> {
  return act(shop, {
    place: `animal-${animal.id}`,
    busy: 'Undoing…',
    what: describe(animal, change),
    run: async () =>
      (await correct(shop, animal.id, before, change))
        ? failed('Not undone: someone else has changed it')
        : done(`${short(change.name ?? animal.name)} is changed back.`),
  });
}

/** `the new name of “Rex”`. */
function describe(animal: Animal, change: Correction): string {
  const fields = fieldsOf(change);
  const what =
    fields.length > 1
      ? 'changes'
      : { name: 'renaming', categoryId: 'move', status: 'change of status' }[fields[0] ?? 'name'];
  return `the ${what} of ${short(animal.name)}`;
}

/** Moves an animal to another category. */
export function move(shop: Shop, animal: Animal, categoryId: bigint): Promise<boolean> {
  const before = { categoryId: animal.categoryId };
  return act(shop, {
    place: `animal-${animal.id}`,
    busy: 'Moving…',
    what: `the move of ${short(animal.name)}`,
    run: async () =>
      (await correct(shop, animal.id, before, { categoryId }))
        ? failed('Not moved: someone else has moved it')
        : corrected(shop, animal, before, { categoryId }),
  });
}

/** Makes an animal available that is reserved or sold without an order. */
export function makeAvailable(shop: Shop, animal: Animal): Promise<boolean> {
  const before = { status: animal.status };
  return act(shop, {
    place: `animal-${animal.id}`,
    busy: 'Saving…',
    what: `making ${short(animal.name)} available`,
    run: async () => {
      const now = await correct(shop, animal.id, before, { status: 'available' });
      if (now) return failed(`Not changed: it is ${statusWord(now.status).toLowerCase()} now`);
      return corrected(shop, animal, before, { status: 'available' });
    },
  });
}
