import { randomId } from '../../../../client/call.ts';
import { AnimalStoreError } from '../../../../client/index.ts';
import { failureText, isExplained, isRefusal } from './api.ts';
import type { Messages, Offer, Subject } from './messages.ts';
import type { Shop } from './shop.ts';
import { upperFirst } from './text.ts';

/** After this time without an answer, the person is told. */
const SLOW_MS = 3000;

export interface Outcome {
  readonly text: string;
  /** The action that reverses it, which offers no Undo itself. */
  readonly undo?: Action | undefined;
}

export interface Action {
  readonly subject: Subject;
  /** `Selling…` */
  readonly running: string;
  /** `the sale of Maple` */
  readonly what: string;
  /** Sends its one request with this key, and applies the answer. A repetition with the same key gets the answer to the first request. */
  readonly run: (idempotencyKey: string) => Promise<Outcome>;
  /** What to say about a refusal. Without it, the message of the service is shown. */
  readonly refused?: (error: AnimalStoreError) => Promise<string> | string;
  /** A repetition would do it twice. Without an answer, the person has to look. */
  readonly isSentOnce?: boolean;
}

interface ActOptions {
  /** The message whose button started the action. The result replaces it. */
  readonly message?: number | undefined;
  /** The caller reports the success. */
  readonly isSilent?: boolean;
  /** The caller reports a refusal, for example beside a field. */
  readonly showsRefusal?: boolean;
  readonly idempotencyKey?: string;
}

/** Done, or why not. An action that failed without a refusal may have been done: there was no answer. */
export type Result =
  | { readonly isDone: true; readonly outcome: Outcome }
  | { readonly isDone: false; readonly isRefused: boolean; readonly text: string };

/**
 * Runs an action and shows its result as a message. The request is repeated with the same key for 30 seconds while there is no answer,
 * after that only by the person. Undefined if an action runs on the subject already, or if the page already explains the failure.
 */
export async function act(shop: Shop, action: Action, options: ActOptions = {}): Promise<Result | undefined> {
  const { subject, running, what, isSentOnce = false } = action;
  const { idempotencyKey = randomId(), isSilent = false, showsRefusal = isSilent } = options;
  let { message } = options;
  if (shop.running.at(subject) !== undefined) return undefined;
  const say = (...[kind, text, offer]: Parameters<Messages['say']>) => {
    message = shop.messages.say(kind, text, offer, message);
  };
  const hide = () => {
    if (message !== undefined) shop.messages.close(message);
  };
  shop.running.set(subject, running);
  if (message !== undefined) say('waiting', running);
  const slow = setTimeout(() => {
    const repeated = isSentOnce ? '' : ` ${upperFirst(what)} is being repeated.`;
    // An action that has reported progress has received answers.
    if (shop.running.at(subject) === running) say('waiting', `No answer from the service.${repeated}`);
  }, SLOW_MS);
  try {
    const outcome = await action.run(idempotencyKey);
    const { text, undo } = outcome;
    if (isSilent) hide();
    else say('done', text, undo && undoOf(shop, undo, what, () => message));
    return { isDone: true, outcome };
  } catch (error) {
    if (!(error instanceof AnimalStoreError)) throw error;
    if (isExplained(error)) {
      hide();
      return undefined;
    }
    const isRefused = isRefusal(error);
    const look = isSentOnce ? ' Look at the list before you try again.' : '';
    const text = isRefused ? await refusal(action, error) : unanswered(what, error.status) + look;
    const again = () =>
      act(shop, action, { ...options, idempotencyKey, isSilent: false, showsRefusal: false, message });
    if (showsRefusal && isRefused) hide();
    else
      say(
        'wrong',
        text,
        isRefused || isSentOnce
          ? undefined
          : { label: 'Try again', description: `Try again: ${what}`, run: again },
      );
    return { isDone: false, isRefused, text };
  } finally {
    clearTimeout(slow);
    shop.running.set(subject, undefined);
    shop.changed();
  }
}

const undoOf = (shop: Shop, undo: Action, what: string, message: () => number | undefined): Offer => ({
  label: 'Undo',
  description: `Undo ${what}`,
  run: () => act(shop, withoutUndo(undo), { message: message() }),
});

/** An action as the Undo of another one. It offers no Undo itself, and its message says what was undone. */
export const withoutUndo = (action: Action): Action => ({
  ...action,
  run: async (key) => {
    const { text } = await action.run(key);
    return { text: /^(?:Not u|U)ndone: /.test(text) ? text : `Undone: ${text}` };
  },
});

async function refusal({ refused }: Action, error: AnimalStoreError): Promise<string> {
  // Finding the reason may need a read, which can fail. Then the message of the service is shown.
  return refused ? await Promise.resolve(refused(error)).catch(() => error.message) : error.message;
}

const unanswered = (what: string, status: number): string =>
  `${failureText(status)} ${upperFirst(what)} ${status === 429 ? 'was not done.' : 'may or may not be done.'}`;
