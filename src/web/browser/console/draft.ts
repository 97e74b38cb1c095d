import { effect, signal } from '@preact/signals';
import { AnimalStoreError, type PetStatus } from '../../../client/index.ts';
import { randomId } from '../shared/random-id.ts';
import { troubleKind } from './connection.ts';
import { signedIn } from './data.ts';
import { notify } from './notices.ts';
import { refreshNow } from './refresh.ts';
import { isExplained, session } from './session.ts';
import { short, troubleText } from './wording.ts';

/** What was typed so far. It survives every error, the closing of the form and a new key. */
export interface Draft {
  readonly name: string;
  readonly categoryId: string;
  readonly status: PetStatus;
}

/** What to fix, by field; `form` is about the whole. */
export type Problems = Partial<Record<keyof Draft | 'form', string>>;

const EMPTY: Draft = { name: '', categoryId: '', status: 'available' };
const DIGITS = /^-?\d+$/;

/** Whether the form is open. */
export const addOpen = signal(false);
export const draft = signal<Draft>(EMPTY);
export const addProblems = signal<Problems>({});
export const saving = signal(false);

/** One attempt at adding what the draft says. Trying again with the same draft never adds a second animal. */
let attempt: { readonly of: string; readonly idempotencyKey: string } | undefined;

/** Signing out forgets everything that was typed. */
effect(() => {
  if (session.value) return;
  attempt = undefined;
  addOpen.value = false;
  draft.value = EMPTY;
  addProblems.value = {};
});

/** Whether the animal was added. */
export async function addAnimal(): Promise<boolean> {
  if (saving.peek()) return false;
  const { name, categoryId, status } = draft.peek();
  addProblems.value = problemsWith(draft.peek());
  if (Object.keys(addProblems.peek()).length > 0) return false;
  const of = JSON.stringify(draft.peek());
  if (attempt?.of !== of) attempt = { of, idempotencyKey: randomId() };
  saving.value = true;
  try {
    const { idempotencyKey } = attempt;
    const values = { name, categoryId: BigInt(categoryId.trim()), status };
    const { writes, signal } = signedIn();
    const pet = await writes.createPet(values, { idempotencyKey, signal });
    attempt = undefined;
    draft.value = EMPTY;
    notify({ kind: 'done', text: `${short(pet.name)} was added with the id ${pet.id}.` });
    void refreshNow();
    return true;
  } catch (error) {
    addProblems.value = problemsFrom(error);
    return false;
  } finally {
    saving.value = false;
  }
}

/** What can be told without asking. Everything else is the service's to decide. */
function problemsWith({ name, categoryId }: Draft): Problems {
  return {
    ...(name.trim() === '' && { name: 'Enter a name.' }),
    ...(!DIGITS.test(categoryId.trim()) && { categoryId: 'Enter the category as a whole number.' }),
  };
}

function problemsFrom(error: unknown): Problems {
  if (!(error instanceof AnimalStoreError)) throw error;
  if (isExplained(error)) return {};
  if (error.code === 'invalid_argument') return { categoryId: 'This number is out of range.' };
  if (error.status === 400) return byField(error.message);
  if (error.status > 0 && error.status < 500 && error.status !== 429) return { form: error.message };
  return {
    form: `${troubleText[troubleKind(error)]} Your entries are kept. It is safe to try again: the animal is never added twice.`,
  };
}

/** The service names every problem with its field: `name must be …; categoryId is required`. */
function byField(message: string): Problems {
  const problems: Problems = {};
  for (const part of message.split('; ')) {
    const [, field, rest = part] = /^(name|categoryId|status) (.*)$/s.exec(part) ?? [];
    const key = (field ?? 'form') as keyof Problems;
    problems[key] = `${rest.charAt(0).toUpperCase()}${rest.slice(1)}${rest.endsWith('.') ? '' : '.'}`;
  }
  return problems;
}
