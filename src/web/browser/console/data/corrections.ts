import type { Pet, PetUpdate, PetWithEtag } from '../../../../client/index.ts';
import { short } from '../parts/wording.ts';
import { act, done, failed, statusOf } from './act.ts';
import { report } from './outcomes.ts';
import { refreshNow } from './refresh.ts';
import { markRemoved } from './removed.ts';
import { signedIn } from './session.ts';
import { updatePet } from './store.ts';

/** The animal as it is now, with the etag on which a change of it is based. */
export function readForChange(id: bigint): Promise<PetWithEtag> {
  const { reads, signal } = signedIn();
  // A change without a field is the read that returns an etag and is not deprecated.
  return reads.updatePet(id, {}, { signal });
}

/**
 * Changes an animal and offers to take that back. When someone else has changed it since `before`, nothing changes, and the animal as it
 * is now is returned.
 */
export async function correct(before: PetWithEtag, update: PetUpdate): Promise<PetWithEtag | undefined> {
  const { isDone, pet } = await change(before, update);
  if (!isDone) return pet;
  const { outcome, spoken } = corrected(before, update, pet);
  report([`animal-${pet.id}`], outcome, spoken);
  void refreshNow();
  return undefined;
}

async function change(
  before: PetWithEtag,
  update: PetUpdate,
): Promise<{ isDone: boolean; pet: PetWithEtag }> {
  const { writes, signal } = signedIn();
  try {
    // A proxy may have removed the etag.
    const pet = await writes.updatePet(before.id, update, { ifMatch: before.etag || undefined, signal });
    show(pet);
    return { isDone: true, pet };
  } catch (error) {
    if (statusOf(error) !== 412) throw error;
    const pet = await readForChange(before.id);
    show(pet);
    // Ours after all, if it has these values: an earlier attempt whose answer was lost has done it.
    return { isDone: fieldsOf(update).every((field) => pet[field] === update[field]), pet };
  }
}

function corrected(before: PetWithEtag, update: PetUpdate, after: PetWithEtag) {
  const back = Object.fromEntries(fieldsOf(update).map((field) => [field, before[field]]));
  return done(`${short(after.name)} is changed.`, () => undo(after, back));
}

async function undo(before: PetWithEtag, update: PetUpdate): Promise<void> {
  await act(
    [`animal-${before.id}`],
    'Undoing…',
    () => undo(before, update),
    async () => {
      const { isDone, pet } = await change(before, update);
      return isDone
        ? corrected(before, update, pet)
        : failed('Not undone: it was changed elsewhere meanwhile');
    },
  );
}

const fieldsOf = (update: PetUpdate) => Object.keys(update) as (keyof PetUpdate)[];

const show = ({ id, name, categoryId, status }: PetWithEtag): void =>
  updatePet({ id, name, categoryId, status });

export async function remove(pet: Pet): Promise<void> {
  await act(
    [`animal-${pet.id}`],
    'Removing…',
    () => remove(pet),
    async () => {
      const { writes, signal } = signedIn();
      await writes.removePet(pet.id, { signal });
      markRemoved([pet.id], true);
      return done(`${short(pet.name)} is removed.`, () => restore(pet));
    },
  );
}

export async function restore(pet: Pet): Promise<void> {
  await act(
    [`animal-${pet.id}`],
    'Restoring…',
    () => restore(pet),
    async () => {
      const { writes, signal } = signedIn();
      show(await writes.restorePet(pet.id, { signal }));
      markRemoved([pet.id], false);
      return done(`${short(pet.name)} is restored.`, () => remove(pet));
    },
  );
}
