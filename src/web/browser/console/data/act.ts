import { AnimalStoreError } from '../../../../client/index.ts';
import { troubleText } from '../parts/wording.ts';
import { troubleKind } from './connection.ts';
import { isBusy, type Outcome, type Place, report } from './outcomes.ts';
import { refreshNow } from './refresh.ts';
import { isExplained } from './session.ts';

/** What an action has led to, on the page and for screen readers. */
export interface Result {
  readonly outcome: Outcome;
  readonly spoken: string;
}

/** Done, and how to take it back where that is possible. */
export const done = (spoken: string, undo?: () => Promise<void>): Result => ({
  outcome: { kind: 'done', ...(undo && { offer: { label: 'Undo', run: () => void undo() } }) },
  spoken,
});

export const failed = (text: string): Result => ({ outcome: { kind: 'failed', text }, spoken: text });

/** Runs an action in these places: once at a time, and with an outcome whatever happens. */
export async function act(
  places: readonly Place[],
  busy: string,
  again: () => Promise<void>,
  action: () => Promise<Result>,
): Promise<void> {
  if (places.some(isBusy)) return;
  report(places, { kind: 'busy', text: busy });
  const result = await action().catch((error) => failure(error, () => void again()));
  report(places, result.outcome, result.spoken);
  await refreshNow();
}

function failure(error: unknown, run: () => void): Result {
  if (!(error instanceof AnimalStoreError)) throw error;
  if (isExplained(error)) return { outcome: { kind: 'done' }, spoken: '' };
  if (isFinal(error)) return failed(error.message);
  const text = troubleText[troubleKind(error)];
  return { outcome: { kind: 'failed', text, offer: { label: 'Try again', run } }, spoken: text };
}

export const statusOf = (error: unknown): number => (error instanceof AnimalStoreError ? error.status : 0);

/** Whether the service has said no, so that another attempt is a new one. */
export const isFinal = (error: unknown): boolean => [400, 403, 404, 409, 412, 422].includes(statusOf(error));
