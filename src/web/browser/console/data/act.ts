import { randomId } from '../../../../client/call.ts';
import { AnimalStoreError } from '../../../../client/index.ts';
import { failureText, isExplained, isRefusal } from './api.ts';
import type { Messages, Offer, Subject } from './messages.ts';
import type { Shop } from './shop.ts';
import { upperFirst } from './text.ts';

/** After this time without an answer, the person is told. */
const SLOW_MS = 3000;

/** What an action has led to. */
export interface Outcome {
  readonly text: string;
  /** Takes it back. What is undone offers no second Undo. */
  readonly undo?: Action | undefined;
}

export interface Action {
  readonly subject: Subject;
  /** `Selling…` */
  readonly running: string;
  /** `the sale of Maple` */
  readonly what: string;
  /** Sends its one request with this key, and applies the answer. Sent again with it, the answer is that of the first request. */
  readonly run: (idempotencyKey: string) => Promise<Outcome>;
  /** What to say when the service has refused; otherwise its own words. */
  readonly refused?: (error: AnimalStoreError) => Promise<string> | string;
  /** Sent again, it would be done twice: without an answer, the person has to look. */
  readonly isSentOnce?: boolean;
}

export interface ActOptions {
  /** The message that has led to the action: what comes of it takes its place. */
  readonly message?: number | undefined;
  /** The caller says what has happened. */
  readonly isSilent?: boolean;
  /** The caller says why it was refused, such as beside a field. */
  readonly showsRefusal?: boolean;
  readonly idempotencyKey?: string;
}

/** What came of an action: done, or why not. What was not refused may be done: there was no answer. */
export type Result =
  | { readonly isDone: true; readonly outcome: Outcome }
  | { readonly isDone: false; readonly isRefused: boolean; readonly text: string };

/**
 * Runs an action: one request, repeated with the same key for 30 seconds while there is no answer, and after that only by a person. What
 * has come of it is a message. Undefined if one runs there already, or the page explains the failure: it asks for a key.
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
    // What tells of its progress has had answers.
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

/** An action as the Undo of another one: it offers none itself, and says what it is. */
export const withoutUndo = (action: Action): Action => ({
  ...action,
  run: async (key) => {
    const { text } = await action.run(key);
    return { text: /^(?:Not u|U)ndone: /.test(text) ? text : `Undone: ${text}` };
  },
});

async function refusal({ refused }: Action, error: AnimalStoreError): Promise<string> {
  // Why it was refused may have to be read; the words of the service are there in any case.
  return refused ? await Promise.resolve(refused(error)).catch(() => error.message) : error.message;
}

const unanswered = (what: string, status: number): string =>
  `${failureText(status)} ${upperFirst(what)} ${status === 429 ? 'was not done.' : 'may or may not be done.'}`;
