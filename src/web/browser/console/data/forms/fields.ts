import { AnimalStoreError, type Category } from '../../../../../client/index.ts';
import { isInt64 } from '../../parts/int64.ts';
import { failureText } from '../../parts/wording.ts';
import { isExplained } from '../api.ts';
import type { Categories } from '../categories.ts';
import { failureKind } from '../connection.ts';

/** The fields of an animal as they are typed. */
export interface Fields {
  readonly name: string;
  /** The name of a category, or its number. */
  readonly category: string;
}

/** What to fix, by field; `form` is about the whole. */
export type Problems = Partial<Record<keyof Fields | 'count' | 'form', string>>;

/** The category that a text means: one that exists, one to be created, or a number without a name. */
export type WantedCategory =
  | { readonly kind: 'known'; readonly id: bigint; readonly category: Category }
  | { readonly kind: 'unnamed'; readonly id: bigint }
  | { readonly kind: 'new'; readonly name: string }
  | { readonly kind: 'invalid' };

const DIGITS = /^-?\d+$/;
const MAX_NAME = 1000;

/** A name as it is stored: several spaces look like one, and nobody would find it again. */
export const tidyName = (name: string): string => name.trim().replace(/\s+/g, ' ');

/** A name comes before a number. */
export function wantedCategory(categories: Categories, text: string): WantedCategory {
  const tidy = tidyName(text);
  const known = categories.called(tidy);
  if (known) return { kind: 'known', id: known.id, category: known };
  if (!DIGITS.test(tidy)) return tidy === '' ? { kind: 'invalid' } : { kind: 'new', name: tidy };
  const id = BigInt(tidy);
  return isInt64(id) ? { kind: 'unnamed', id } : { kind: 'invalid' };
}

/** What can be told without asking. Everything else is the service's to decide. */
export function problemsWith({ name, category }: Fields, wanted: WantedCategory): Problems {
  const length = [...tidyName(name)].length;
  const isEmpty = category.trim() === '';
  return {
    ...(length === 0 && { name: 'Enter a name.' }),
    ...(length > MAX_NAME && { name: `A name has at most 1,000 characters. This one has ${length}.` }),
    ...(wanted.kind === 'invalid' && {
      category: isEmpty ? 'Choose a category.' : 'This number is out of range.',
    }),
  };
}

/** The text of an error is for people and may change: it is shown as it is, and never read. `safe` says why to try again. */
export function problemsFrom(error: unknown, safe: string): Problems {
  if (!(error instanceof AnimalStoreError)) throw error;
  if (isExplained(error)) return {};
  if (error.status > 0 && error.status < 500 && error.status !== 429) return { form: error.message };
  return {
    form: `${failureText[failureKind(error.status)]} Your entries are kept. It is safe to try again: ${safe}.`,
  };
}
