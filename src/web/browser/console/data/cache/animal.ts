import type { Event, ListedPet, Pet, PetStatus } from '../../../../../client/index.ts';

/** An animal, in the inventory or removed from it. */
export interface Animal extends Readonly<Pet> {
  /** Undefined while it is in the inventory. */
  readonly removed?: Removal | undefined;
}

interface Removal {
  readonly at?: string | undefined;
  readonly reason?: string | undefined;
}

/** The status of an animal as the page shows it. */
export const shownStatus = ({ status, removed }: Animal): PetStatus | 'removed' =>
  removed ? 'removed' : status;

/** An animal as the service lists it. */
export function animalFrom({ id, name, categoryId, status, removedAt, reason }: ListedPet): Animal {
  const pet = { id, name, categoryId, status };
  return removedAt === undefined ? pet : { ...pet, removed: { at: removedAt, reason } };
}

/** An animal as an event has left it; undefined if the event is about none. */
export function animalOf({ type, at, pet }: Event): Animal | undefined {
  if (!pet) return undefined;
  const animal = animalFrom(pet);
  return type === 'pet.removed' && !animal.removed
    ? { ...animal, removed: { at, reason: pet.reason } }
    : animal;
}
