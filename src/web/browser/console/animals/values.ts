import { AnimalStoreError, type Pet, type PetStatus } from '../../../../client/index.ts';
import { categoryCalled } from '../data/categories.ts';
import { troubleKind } from '../data/connection.ts';
import { isExplained } from '../data/session.ts';
import { troubleText } from '../parts/wording.ts';

/** The fields of an animal as they are typed. */
export interface Draft {
  readonly name: string;
  /** The name of a category, or its number. */
  readonly category: string;
  readonly status: PetStatus;
}

/** What to fix, by field; `form` is about the whole. */
export type Problems = Partial<Record<keyof Draft | 'form', string>>;

const DIGITS = /^-?\d+$/;
const MAX_NAME = 1000;
const MAX_INT64 = 2n ** 63n - 1n;

/** A name as it is stored: several spaces look like one, and nobody would find it again. */
export const tidyName = (name: string): string => name.trim().replace(/\s+/g, ' ');

/** The category that is meant: a name comes before a number. */
export function categoryIdOf(text: string): bigint | undefined {
  const tidy = tidyName(text);
  const called = categoryCalled(tidy);
  if (called !== undefined || !DIGITS.test(tidy)) return called;
  const number = BigInt(tidy);
  return number <= MAX_INT64 && number >= -MAX_INT64 - 1n ? number : undefined;
}

/** What a draft without problems says. */
export const valuesOf = ({ name, category, status }: Draft): Omit<Pet, 'id'> => ({
  name: tidyName(name),
  categoryId: categoryIdOf(category) ?? 0n,
  status,
});

/** What can be told without asking. Everything else is the service's to decide. */
export function problemsWith({ name, category }: Draft): Problems {
  const isKnown = categoryIdOf(category) !== undefined;
  const length = [...tidyName(name)].length;
  return {
    ...(length === 0 && { name: 'Enter a name.' }),
    ...(length > MAX_NAME && { name: `A name has at most 1,000 characters. This one has ${length}.` }),
    ...(!isKnown && { category: categoryProblem(category.trim()) }),
  };
}

function categoryProblem(text: string): string {
  if (text === '') return 'Choose a category.';
  return DIGITS.test(text)
    ? 'This number is out of range.'
    : 'There is no such category. Choose another one, or create it.';
}

/** The text of an error is for people and may change: it is shown as it is, and never read. `safe` says why to try again. */
export function problemsFrom(error: unknown, safe: string): Problems {
  if (!(error instanceof AnimalStoreError)) throw error;
  if (isExplained(error)) return {};
  if (error.status > 0 && error.status < 500 && error.status !== 429) return { form: error.message };
  return {
    form: `${troubleText[troubleKind(error)]} Your entries are kept. It is safe to try again: ${safe}.`,
  };
}
