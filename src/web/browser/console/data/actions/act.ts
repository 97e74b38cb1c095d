import { AnimalStoreError } from '../../../../../client/index.ts';
import { failureText } from '../../parts/wording.ts';
import { isExplained } from '../api.ts';
import { failureKind, isRefusal } from '../connection.ts';
import type { Shop } from '../shop.ts';
import type { Outcome, Place } from './outcomes.ts';

/** What an action has led to, on the page and for screen readers. */
export interface Result {
  readonly outcome: Outcome;
  readonly spoken: string;
}

/** How an action is taken back. */
export interface Undo {
  /** `the sale of “Rex”`. */
  readonly what: string;
  /** False if it was not taken back. */
  readonly run: () => Promise<boolean>;
}

export interface Action {
  /** Where it is shown. It runs once at a time in each of them. */
  readonly places: readonly Place[];
  /** `Selling…`. A function follows what it reads, such as how far it has come. */
  readonly busy: string | (() => string);
  /** `the sale of “Rex”`. */
  readonly what: string;
  /** `isRetry`: an earlier attempt may have been done although its answer was lost. */
  readonly run: (isRetry: boolean) => Promise<Result>;
  /** Finds out whether it was done, where its answer was lost; undefined if that cannot be told. */
  readonly wasDone?: (() => Promise<Result | undefined>) | undefined;
}

/** Done, and how to take it back where that is possible. */
export const done = (spoken: string, undo?: Undo): Result => ({
  outcome: {
    kind: 'done',
    offer: undo && { label: 'Undo', description: `Undo ${undo.what}`, run: undo.run },
  },
  spoken,
});

/** Refused. A text that is a function follows what it reads. */
export const failed = (text: string | (() => string)): Result => ({
  outcome: { kind: 'failed', text },
  spoken: typeof text === 'string' ? text : text(),
});

/** Runs an action, with an outcome whatever happens. Returns whether it was done. */
export async function act(shop: Shop, action: Action, isRetry = false): Promise<boolean> {
  const { places, busy, run } = action;
  const { outcomes } = shop;
  if (places.some((place) => outcomes.isBusy(place))) return false;
  outcomes.report(places, { kind: 'busy', text: busy }, typeof busy === 'string' ? busy : busy());
  const result = await run(isRetry).catch((error) => failure(shop, action, error));
  // The page explains it already: it asks for a key, or the person has signed out.
  if (!result) outcomes.remove(places);
  else outcomes.report(places, result.outcome, result.spoken);
  shop.changed();
  return result?.outcome.kind === 'done';
}

function failure(shop: Shop, action: Action, error: unknown): Result | undefined {
  if (!(error instanceof AnimalStoreError)) {
    shop.outcomes.remove(action.places);
    throw error;
  }
  if (isExplained(error)) return undefined;
  if (isRefusal(error)) return failed(error.message);
  const { wasDone, what, places } = action;
  const isUnknown = error.status !== 429;
  const text = `${failureText[failureKind(error.status)]} ${isUnknown ? 'Not known yet whether it was done.' : 'Not done.'}`;
  // What is on the page tells, as soon as the service can be reached.
  if (isUnknown) shop.refreshWanted.value++;
  const again = () => act(shop, action, true);
  const verify = async () => {
    // Without an answer it stays unknown.
    const result = await wasDone?.().catch(() => undefined);
    if (result && shop.outcomes.at(places[0] ?? 'selection')?.verify === verify)
      shop.outcomes.report(places, withRetry(result), result.spoken);
  };
  const offer = { label: 'Try again', description: `Try again: ${what}`, run: again };
  const withRetry = ({ outcome }: Result): Outcome =>
    outcome.kind === 'failed' ? { ...outcome, offer } : outcome;
  return { outcome: { kind: 'failed', text, offer, ...(wasDone && { verify }) }, spoken: text };
}
