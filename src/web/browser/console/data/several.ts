import { type Action, act, type Outcome, type Result, withoutUndo } from './act.ts';
import type { AnimalAction } from './actions.ts';
import type { Animal } from './cache.ts';
import type { Offer } from './messages.ts';
import type { Shop } from './shop.ts';
import { count, counted } from './text.ts';

/** The words for what is done with several animals. */
interface Several {
  readonly running: string;
  /** `were sold` */
  readonly past: string;
  /** `the sale` */
  readonly what: string;
}

/**
 * Runs the same action on several animals, one request after the other. One message reports all of them, and its Undo reverses each.
 * Returns the ids of the animals for which it succeeded.
 */
export async function actOnSeveral(
  shop: Shop,
  animals: readonly Animal[],
  action: AnimalAction,
  { running, past, what }: Several,
): Promise<readonly bigint[]> {
  const done: { readonly id: bigint; readonly outcome: Outcome }[] = [];
  const { refusals } = await eachInTurn(shop, animals, running, async (animal) => {
    const result = await act(shop, action(shop, animal), { isSilent: true });
    if (result?.isDone) done.push({ id: animal.id, outcome: result.outcome });
    return result;
  });
  const [first] = done;
  // The sentence of a single action says more than a count.
  const sentence =
    done.length === 1 && first ? first.outcome.text : first ? `${count(done.length)} animals ${past}.` : '';
  const undos = done.flatMap(({ outcome }) => outcome.undo ?? []).reverse();
  const text = sentenceWith(sentence, refusals);
  // The page asks for another key.
  if (text === '') return [];
  const undo: Offer = {
    label: 'Undo',
    description: `Undo: ${sentence}`,
    run: () => undoSeveral(shop, undos, what, id),
  };
  const id = shop.messages.say(
    refusals.length > 0 ? 'wrong' : 'done',
    text,
    undos.length > 0 ? undo : undefined,
  );
  return done.map(({ id: petId }) => petId);
}

async function undoSeveral(
  shop: Shop,
  undos: readonly Action[],
  what: string,
  message: number,
): Promise<void> {
  if (shop.running.at('selection') !== undefined) return;
  shop.messages.say('waiting', 'Undoing…', undefined, message);
  let undone = 0;
  let text = '';
  const { refusals } = await eachInTurn(shop, undos, 'Undoing', async (undo) => {
    const result = await act(shop, withoutUndo(undo), { isSilent: true });
    if (result?.isDone) {
      undone++;
      text = result.outcome.text;
    }
    return result;
  });
  const sentence =
    undos.length === 1 && undone === 1
      ? text
      : undone === 0
        ? ''
        : `Undone: ${what} of ${counted(undone, 'animal', 'animals')}.`;
  const said = sentenceWith(sentence, refusals);
  if (said === '') shop.messages.close(message);
  else shop.messages.say(refusals.length > 0 ? 'wrong' : 'done', said, undefined, message);
}

async function eachInTurn<T>(
  shop: Shop,
  items: readonly T[],
  running: string,
  each: (item: T) => Promise<Result | undefined>,
): Promise<{ readonly refusals: readonly string[] }> {
  const refusals: string[] = [];
  try {
    for (const [index, item] of items.entries()) {
      shop.running.set('selection', `${running} ${count(index + 1)} of ${count(items.length)}…`);
      const result = await each(item);
      if (result && !result.isDone) refusals.push(result.text);
      // Without an answer, the others would have none either.
      if (!result || !(result.isDone || result.isRefused)) break;
    }
  } finally {
    shop.running.set('selection', undefined);
  }
  return { refusals };
}

/** What was done, and the first of the reasons why the rest was not. */
export function sentenceWith(sentence: string, refusals: readonly string[]): string {
  const [first] = refusals;
  if (first === undefined) return sentence;
  const others = refusals.length > 1 ? ` ${count(refusals.length - 1)} more not.` : '';
  return `${sentence} ${first}${others}`.trim();
}
