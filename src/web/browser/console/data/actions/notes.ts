import type { Order } from '../../../../../client/index.ts';
import type { Shop } from '../shop.ts';
import { act, done, failed } from './act.ts';
import { nameOf } from './selling.ts';

/** The longest note that the service takes, in characters. */
export const MAX_NOTE = 1000;

/**
 * Changes the note of an order; without a text, removes it. `seen` is the note that the person has seen: if someone else has written
 * another one since, nothing changes, and the next attempt replaces that.
 */
export function setNote(shop: Shop, order: Order, text: string, seen = order.note): Promise<boolean> {
  return writeNote(shop, order, text.trim(), seen, false);
}

/** Saves the note that is being typed for an order. False if something is left to save: what was typed meanwhile, or a conflict. */
export async function saveNote(shop: Shop, order: Order, text: string): Promise<boolean> {
  const isSaved = await setNote(shop, order, text, shop.noteEdits.seen(order.id));
  shop.noteEdits.see(order.id, shop.cache.orders.peek(order.id)?.note);
  return isSaved && shop.noteEdits.of(order.id).peek() === text;
}

function writeNote(
  shop: Shop,
  order: Order,
  note: string,
  seen: string | undefined,
  isUndo: boolean,
): Promise<boolean> {
  const name = nameOf(shop, order.petId);
  return act(shop, {
    place: `animal-${order.petId}`,
    busy: 'Saving…',
    what: `the note for ${name}`,
    run: async (key) => {
      const now = await shop.orders.load(order.id);
      const isChanged = now?.note !== seen && (now?.note ?? '') !== note;
      if (isChanged)
        return failed(
          isUndo
            ? 'Not undone: someone else has changed the note since.'
            : 'Not saved: someone else has changed the note. Save again to replace it.',
        );
      const update = { note: note === '' ? null : note };
      await shop.api.write((client, options) => client.updateOrder(order.id, update, options), key);
      await shop.orders.load(order.id);
      const spoken = note === '' ? `The note for ${name} is removed.` : `The note for ${name} is saved.`;
      const undo = () => writeNote(shop, order, seen ?? '', note || undefined, true);
      return done(spoken, isUndo ? undefined : { what: `the new note for ${name}`, run: undo });
    },
  });
}
