import { short } from '../../parts/wording.ts';
import { type Animal, animalFrom } from '../picture/animal.ts';
import type { Shop } from '../shop.ts';
import { act, done } from './act.ts';

/** Removes an animal from the inventory, for a reason or without one. */
export function remove(shop: Shop, animal: Animal, reason?: string): Promise<boolean> {
  const what = `the removal of ${short(animal.name)}`;
  return act(shop, {
    places: [`animal-${animal.id}`],
    busy: 'Removing…',
    what,
    run: async () => {
      await shop.api.write((client, options) => client.removePet(animal.id, { ...options, reason }));
      const at = new Date().toISOString();
      shop.picture.animals.change({ ...animal, removed: { at, reason } });
      return done(`${short(animal.name)} is removed.`, {
        what,
        run: async () => void (await restore(shop, animal)),
      });
    },
  });
}

/** Brings a removed animal back as it was. */
export function restore(shop: Shop, animal: Animal): Promise<boolean> {
  const what = `bringing back ${short(animal.name)}`;
  return act(shop, {
    places: [`animal-${animal.id}`],
    busy: 'Restoring…',
    what,
    run: async () => {
      const pet = await shop.api.write((client, options) => client.restorePet(animal.id, options));
      shop.picture.animals.change(animalFrom(pet));
      return done(`${short(animal.name)} is restored.`, {
        what,
        run: async () => void (await remove(shop, animalFrom(pet), animal.removed?.reason)),
      });
    },
  });
}
