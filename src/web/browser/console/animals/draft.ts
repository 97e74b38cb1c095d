import { effect, signal } from '@preact/signals';
import { randomId } from '../../../../client/call.ts';
import type { Page, Pet, PetQuery } from '../../../../client/index.ts';
import { foldName } from '../../../../contract/name-key.ts';
import { MOST } from '../data/find.ts';
import { announcement } from '../data/outcomes.ts';
import { refreshNow } from '../data/refresh.ts';
import { session, signedIn } from '../data/session.ts';
import { animals, updatePet } from '../data/store.ts';
import { short } from '../parts/wording.ts';
import { route } from '../route.ts';
import { type Draft, type Problems, problemsFrom, problemsWith, tidyName, valuesOf } from './values.ts';

/** Pages of a search in which a namesake is looked for: all of them in a store of 100,000 animals where few names contain the new one. */
const NAMESAKE_PAGES = 5;
const EMPTY: Draft = { name: '', category: '', status: 'available' };

export const formOpen = signal(false);
/** What was typed so far. It survives every error, the closing of the form and a new key. */
export const draft = signal<Draft>(EMPTY);
export const problems = signal<Problems>({});
export const saving = signal(false);
/** What was added since the form was opened, the latest first. */
export const added = signal<readonly Pet[]>([]);
/** There is an animal with this name already; adding again adds another one. */
export const namesake = signal<Pet | undefined>(undefined);

/** One attempt at adding what the draft says. Trying again with the same draft never adds a second animal. */
let attempt: { readonly of: Draft; readonly idempotencyKey: string } | undefined;
/** The draft that the person wants to add although there is a namesake. */
let asked: Draft | undefined;

export function openForm(): void {
  if (!formOpen.peek()) added.value = [];
  formOpen.value = true;
}

export function edit(change: Partial<Draft>): void {
  draft.value = { ...draft.peek(), ...change };
}

/** Signing out forgets everything that was typed. */
effect(() => {
  if (session.value) return;
  attempt = undefined;
  formOpen.value = false;
  draft.value = EMPTY;
  problems.value = {};
  added.value = [];
  namesake.value = undefined;
});

/** Whether the animal was added. */
export async function addAnimal(): Promise<boolean> {
  if (saving.peek()) return false;
  const sent = draft.peek();
  problems.value = problemsWith(sent);
  if (Object.keys(problems.peek()).length > 0) return false;
  saving.value = true;
  try {
    if (asked !== sent) {
      asked = sent;
      namesake.value = await findNamesake(tidyName(sent.name));
      if (namesake.peek()) return false;
    }
    await send(sent);
    return true;
  } catch (error) {
    problems.value = problemsFrom(error, 'the animal is never added twice');
    return false;
  } finally {
    saving.value = false;
  }
}

async function send(sent: Draft): Promise<void> {
  if (attempt?.of !== sent) attempt = { of: sent, idempotencyKey: randomId() };
  const { idempotencyKey } = attempt;
  const { writes, signal } = signedIn();
  const pet = await writes.createPet(valuesOf(sent), { idempotencyKey, signal });
  attempt = undefined;
  namesake.value = undefined;
  // What was typed meanwhile belongs to the next animal.
  if (draft.peek().name === sent.name) edit({ name: '' });
  added.value = [pet, ...added.peek()];
  announcement.value = `${short(pet.name)} was added with the id ${pet.id}.`;
  show(pet);
}

function show(pet: Pet): void {
  updatePet(pet);
  const current = route.peek();
  const isShown =
    current.view === 'animals' &&
    current.name === '' &&
    (current.status ?? pet.status) === pet.status &&
    (current.category ?? pet.categoryId) === pet.categoryId;
  if (isShown) animals.prepend(pet);
  void refreshNow();
}

async function findNamesake(name: string): Promise<Pet | undefined> {
  const { reads, signal } = signedIn();
  const NONE = { items: [], next: undefined };
  let query: PetQuery | string | undefined = { name, limit: MOST };
  for (let pages = 0; pages < NAMESAKE_PAGES && query !== undefined; pages++) {
    // Without an answer nothing is asked.
    const page: Page<Pet> = await reads.listPets(query, { signal }).catch(() => NONE);
    const found = page.items.find((pet) => foldName(pet.name) === foldName(name));
    if (found) return found;
    query = page.next;
  }
  return undefined;
}
