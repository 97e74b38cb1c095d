import type { Order } from '../../../../../client/index.ts';
import { short } from '../../parts/wording.ts';
import type { Shop } from '../shop.ts';
import { act, done } from './act.ts';

/** The longest note that the service takes, in characters. */
export const MAX_NOTE = 1000;

/** Changes the note of an order; without a text, removes it. */
export function setNote(shop: Shop, order: Order, text: string): Promise<boolean> {
  const note = text.trim();
  const name = short(shop.picture.animals.peek(order.petId)?.name ?? `animal ${order.petId}`);
  const what = `the note for ${name}`;
  return act(shop, {
    places: [`order-${order.id}`, `animal-${order.petId}`],
    busy: 'Saving…',
    what,
    run: async () => {
      const changed = await shop.api.write((client, options) =>
        client.updateOrder(order.id, { note: note === '' ? null : note }, options),
      );
      shop.picture.orders.change(changed);
      const spoken = note === '' ? `The note for ${name} is removed.` : `The note for ${name} is saved.`;
      return done(spoken, {
        what: `the new note for ${name}`,
        run: async () => void (await setNote(shop, changed, order.note ?? '')),
      });
    },
  });
}
