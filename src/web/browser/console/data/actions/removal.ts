import { short } from '../../parts/wording.ts';
import type { Animal } from '../cache/animal.ts';
import type { Shop } from '../shop.ts';
import { act, done } from './act.ts';

/** Removes an animal from the inventory, for a reason or without one. */
export function remove(shop: Shop, animal: Animal, reason?: string, isUndo = false): Promise<boolean> {
  const { id, name } = animal;
  const what = `the removal of ${short(name)}`;
  return act(shop, {
    place: `animal-${id}`,
    busy: 'Removing…',
    what,
    run: async (key) => {
      await shop.api.write((client, options) => client.removePet(id, { ...options, reason }), key);
      await shop.animals.lookUp([id]);
      return done(
        `${short(name)} is removed.`,
        isUndo ? undefined : { what, run: () => restore(shop, animal, true) },
      );
    },
  });
}

/** Brings a removed animal back as it was. */
export function restore(shop: Shop, animal: Animal, isUndo = false): Promise<boolean> {
  const { id, name, removed } = animal;
  const what = `bringing back ${short(name)}`;
  return act(shop, {
    place: `animal-${id}`,
    busy: 'Restoring…',
    what,
    run: async (key) => {
      await shop.api.write((client, options) => client.restorePet(id, options), key);
      await shop.animals.lookUp([id]);
      return done(
        `${short(name)} is restored.`,
        isUndo ? undefined : { what, run: () => remove(shop, animal, removed?.reason, true) },
      );
    },
  });
}
