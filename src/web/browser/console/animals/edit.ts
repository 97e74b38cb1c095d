import { effect, signal } from '@preact/signals';
import type { Pet, PetUpdate, PetWithEtag } from '../../../../client/index.ts';
import { act, done } from '../data/act.ts';
import { categoryNames } from '../data/categories.ts';
import { correct, readForChange } from '../data/corrections.ts';
import { isBusy } from '../data/outcomes.ts';
import { session } from '../data/session.ts';
import { route } from '../route.ts';
import { type Draft, type Problems, problemsFrom, problemsWith, valuesOf } from './values.ts';

interface Editing {
  /** The animal on which the changes are based. */
  readonly before: PetWithEtag;
  readonly draft: Draft;
  /** It was typed earlier, and the form was closed meanwhile. */
  readonly isResumed?: boolean;
}

/** The animal in the panel that is being changed. */
export const editing = signal<Editing | undefined>(undefined);
export const editProblems = signal<Problems>({});
export const savingEdit = signal(false);
/** Someone else has changed the animal since the form was opened. */
export const changedElsewhere = signal(false);

/** What was typed and not saved, by animal. It waits until the animal is edited again or the person signs out. */
const unfinished = new Map<bigint, Editing>();

effect(() => {
  if (!session.value) {
    stopEditing();
    unfinished.clear();
  } else if (route.value.animal !== editing.peek()?.before.id) leaveEditing();
});

/** Closes the form and keeps what was typed. */
export function leaveEditing(): void {
  const current = editing.peek();
  const isTyped = current && JSON.stringify(current.draft) !== JSON.stringify(draftOf(current.before));
  stopEditing();
  if (isTyped) unfinished.set(current.before.id, { ...current, isResumed: true });
}

export function stopEditing(): void {
  const id = editing.peek()?.before.id;
  if (id !== undefined) unfinished.delete(id);
  editing.value = undefined;
  editProblems.value = {};
  changedElsewhere.value = false;
}

/** Opens the form with the present state of the animal. */
export async function startEditing(pet: Pet): Promise<void> {
  if (isBusy(`animal-${pet.id}`)) return;
  await act(
    [`animal-${pet.id}`],
    'Opening…',
    () => startEditing(pet),
    async () => {
      const before = await readForChange(pet.id);
      if (route.peek().animal === pet.id) {
        editing.value = unfinished.get(pet.id) ?? { before, draft: draftOf(before) };
      }
      return done('');
    },
  );
}

export function editAnimal(change: Partial<Draft>): void {
  const current = editing.peek();
  if (current) editing.value = { ...current, draft: { ...current.draft, ...change } };
}

export async function saveEdit(): Promise<void> {
  const current = editing.peek();
  if (!current || savingEdit.peek()) return;
  editProblems.value = problemsWith(current.draft);
  if (Object.keys(editProblems.peek()).length > 0) return;
  const update = changes(current);
  if (Object.keys(update).length === 0) return stopEditing();
  savingEdit.value = true;
  try {
    const now = await correct(current.before, update);
    if (!now) unfinished.delete(current.before.id);
    // The person may have closed the panel meanwhile.
    if (editing.peek()?.before !== current.before) return;
    if (!now) return stopEditing();
    changedElsewhere.value = true;
    editing.value = { ...current, before: now };
  } catch (error) {
    editProblems.value = problemsFrom(error, 'nothing is overwritten that you have not seen');
  } finally {
    savingEdit.value = false;
  }
}

const draftOf = ({ name, categoryId, status }: Pet): Draft => ({
  name,
  category: categoryNames.peek().get(categoryId) ?? `${categoryId}`,
  status,
});

/** Only what differs, so that nothing else is overwritten. */
function changes({ before, draft }: Editing): PetUpdate {
  const { name, categoryId, status } = valuesOf(draft);
  return {
    ...(name !== before.name && { name }),
    ...(categoryId !== before.categoryId && { categoryId }),
    ...(status !== before.status && { status }),
  };
}
