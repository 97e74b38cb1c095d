import type { Animal } from '../cache/animal.ts';
import type { Fields } from './fields.ts';

/** One entry of the form on its way: the animal, or the litter, that was asked for. */
export interface Addition {
  readonly id: number;
  readonly names: readonly string[];
  /** What was typed, to change it. */
  readonly fields: Fields;
  readonly state: 'waiting' | 'adding' | 'added' | 'failed' | 'undoing' | 'undone';
  /** Why it was not added, or not undone. */
  readonly problem?: string | undefined;
  /** It may have been added although no answer has said so: it can be sent again, but not changed. */
  readonly isUncertain?: boolean | undefined;
  /** It was never sent: it made room for another entry in the form. */
  readonly isUnsent?: boolean | undefined;
  readonly animals: readonly Animal[];
  /** Trying again never adds a second one. */
  readonly idempotencyKey: string;
}

/** The names of a litter: `Kitten 1` to `Kitten 12`. One animal has the name as it is. */
export const litterNames = (name: string, count: number): readonly string[] =>
  count === 1 ? [name] : Array.from({ length: count }, (_, index) => `${name} ${index + 1}`);

/** Whether something is left to do. */
export const isUnfinished = ({ state }: Addition): boolean =>
  state === 'waiting' || state === 'adding' || state === 'failed';
