import { effect, signal } from '@preact/signals';
import { session } from './session.ts';

const SHOWN_MS = 60_000;

/** What an action has led to. It is shown where the action was started, in place of the status. */
export interface Outcome {
  readonly kind: 'busy' | 'done' | 'failed';
  /** While it is busy and when it has failed: what to say. */
  readonly text?: string;
  /** What the person can do about it: take it back, or try again. */
  readonly offer?: { readonly label: string; readonly run: () => void };
}

/** A row, or the panel of the same animal. */
export type Place = `animal-${bigint}` | `order-${bigint}` | `category-${bigint}`;

export const outcomes = signal<ReadonlyMap<Place, Outcome>>(new Map());
/** The latest outcome in words, for screen readers. */
export const announcement = signal('');

/** Leaving the view forgets what was done in it. */
export function forgetOutcomes(): void {
  outcomes.value = new Map();
  announcement.value = '';
}

effect(() => {
  if (!session.value) forgetOutcomes();
});

/** Whether an action is under way there. */
export const isBusy = (place: Place): boolean => outcomes.peek().get(place)?.kind === 'busy';

export function report(places: readonly Place[], outcome: Outcome, spoken = outcome.text ?? ''): void {
  if (!session.peek()) return;
  outcomes.value = new Map([...outcomes.peek(), ...places.map((place) => [place, outcome] as const)]);
  announcement.value = spoken;
  if (outcome.kind !== 'busy') setTimeout(() => forget(places, outcome), SHOWN_MS);
}

function forget(places: readonly Place[], outcome: Outcome): void {
  const left = [...outcomes.peek()].filter(([place, one]) => !places.includes(place) || one !== outcome);
  outcomes.value = new Map(left);
}
