import { randomId } from '../../../../../client/call.ts';
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

/** How an action is taken back. What is undone offers no second Undo. */
export interface Undo {
  /** `the sale of “Rex”`. */
  readonly what: string;
  /** False if it was not taken back. */
  readonly run: () => Promise<boolean>;
}

export interface Action {
  /** Where it is shown. It runs once at a time there. */
  readonly place: Place;
  /** `Selling…`. A function follows what it reads, such as how far it has come. */
  readonly busy: string | (() => string);
  /** `the sale of “Rex”`. */
  readonly what: string;
  /** Sends its request with this key. Sent again with it, the answer is that of the first request: what is known may be newer. */
  readonly run: (idempotencyKey: string) => Promise<Result>;
}

/** Done, and how to take it back where that is possible. */
export const done = (spoken: string, undo?: Undo): Result => ({
  outcome: {
    kind: 'done',
    offer: undo && { label: 'Undo', description: `Undo ${undo.what}`, run: undo.run },
  },
  spoken,
});

/** Refused. */
export const failed = (text: string): Result => ({ outcome: { kind: 'failed', text }, spoken: text });

/** Runs an action, with an outcome whatever happens. Returns whether it was done. */
export async function act(shop: Shop, action: Action, idempotencyKey = randomId()): Promise<boolean> {
  const { place, busy, run } = action;
  const { outcomes } = shop;
  if (outcomes.isBusy(place)) return false;
  outcomes.report(place, { kind: 'busy', text: busy }, typeof busy === 'string' ? busy : busy());
  const again = () => act(shop, action, idempotencyKey);
  const result = await run(idempotencyKey).catch((error) => failure(shop, action, again, error));
  // The page explains it already: it asks for a key, or the person has signed out.
  if (!result) outcomes.remove(place);
  else outcomes.report(place, result.outcome, result.spoken);
  shop.changed();
  return result?.outcome.kind === 'done';
}

function failure(shop: Shop, action: Action, run: Undo['run'], error: unknown): Result | undefined {
  const { place, what } = action;
  if (!(error instanceof AnimalStoreError)) {
    shop.outcomes.remove(place);
    throw error;
  }
  if (isExplained(error)) return undefined;
  if (isRefusal(error)) return failed(error.message);
  const isDone = error.status === 429 ? 'Not done.' : 'Not known yet whether it was done.';
  const text = `${failureText[failureKind(error.status)]} ${isDone}`;
  const offer = { label: 'Try again', description: `Try again: ${what}`, run };
  return { outcome: { kind: 'failed', text, offer }, spoken: text };
}
