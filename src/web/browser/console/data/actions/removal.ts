import { short } from '../../parts/wording.ts';
import { type Animal, animalFrom } from '../cache/animal.ts';
import { isRefusal } from '../connection.ts';
import type { Shop } from '../shop.ts';
import { act, done, failed, type Result } from './act.ts';

/** Removes an animal from the inventory, for a reason or without one. */
export function remove(shop: Shop, animal: Animal, reason?: string): Promise<boolean> {
  const { id, name } = animal;
  const what = `the removal of ${short(name)}`;
  const removed = () => done(`${short(name)} is removed.`, { what, run: () => restore(shop, animal) });
  const wasDone = async () => ((await isRemoved(shop, id)) ? removed() : failed('Not removed.'));
  return act(shop, {
    places: [`animal-${id}`],
    busy: 'Removing…',
    what,
    wasDone,
    run: (isRetry) =>
      orWasDone(isRetry, wasDone, async () => {
        await shop.api.write((client, options) => client.removePet(id, { ...options, reason }));
        const at = new Date().toISOString();
        shop.cache.animals.change({ ...animal, removed: { at, reason } });
        return removed();
      }),
  });
}

/** Brings a removed animal back as it was. */
export function restore(shop: Shop, animal: Animal): Promise<boolean> {
  const { id, name, removed } = animal;
  const what = `bringing back ${short(name)}`;
  const restored = () =>
    done(`${short(name)} is restored.`, { what, run: () => remove(shop, animal, removed?.reason) });
  const wasDone = async () => ((await isRemoved(shop, id)) ? failed('Not restored.') : restored());
  return act(shop, {
    places: [`animal-${id}`],
    busy: 'Restoring…',
    what,
    wasDone,
    run: (isRetry) =>
      orWasDone(isRetry, wasDone, async () => {
        const pet = await shop.api.write((client, options) => client.restorePet(id, options));
        shop.cache.animals.change(animalFrom(pet));
        return restored();
      }),
  });
}

/** Asks the service. */
async function isRemoved(shop: Shop, id: bigint): Promise<boolean> {
  await shop.animals.lookUp([id]);
  const animal = shop.cache.animals.peek(id);
  return !animal || animal.removed !== undefined;
}

/** A repeated change that is refused may have been done by the attempt whose answer was lost. */
async function orWasDone(
  isRetry: boolean,
  wasDone: () => Promise<Result>,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isRetry && isRefusal(error)) return wasDone();
    throw error;
  }
}
