import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { route } from '../address.ts';
import { cancel, returnSale, sellReserved } from '../data/actions/selling.ts';
import type { Shop } from '../data/shop.ts';
import { keepFocus } from '../parts/keep-focus.ts';
import { age } from '../parts/time.ts';
import { isOffline, may, shop } from '../session.ts';
import { isNoteEdited, NoteCell } from './note-cell.tsx';
import { animalWord, OrderAnimal } from './order-animal.tsx';
import { outcomeOf, RowResult } from './row-result.tsx';

export type OrderAction = (shop: Shop, order: Order) => Promise<boolean>;

/** An order in any state: what waits has its age, what is closed says how and when. */
export function OrderRow({ order }: { readonly order: Order }): JSX.Element {
  const { status, petId } = order;
  const isWaiting = status === 'placed';
  const hand = useHand(order);
  return (
    <li
      class={`row is-order ${isWaiting ? '' : 'is-over'} ${isNoteEdited(order) ? 'is-editing' : ''} ${route.value.animal === petId ? 'chosen' : ''}`}
      onPointerLeave={hand.leave}
    >
      <OrderAnimal petId={petId} />
      <NoteCell order={order} />
      {isWaiting && !outcomeOf(order) ? <AgeCell order={order} /> : <RowResult order={order} />}
      <span class="row-action">
        {isWaiting && hand.mayAct && !isNoteEdited(order) ? (
          <>
            <button
              type="button"
              class="button plain small cancel"
              aria-label={`Cancel the reservation of ${animalWord(order)}`}
              onClick={hand.act(cancel)}
            >
              Cancel
            </button>
            <button
              type="button"
              class="button small sell"
              aria-label={`Sell ${animalWord(order)}`}
              onClick={hand.act(sellReserved)}
            >
              Sell
            </button>
          </>
        ) : null}
        {status === 'completed' && hand.mayAct ? <TakeBack order={order} act={hand.act} /> : null}
      </span>
    </li>
  );
}

/** For how long a reservation has waited. After three days a shape and a colour mark it. */
function AgeCell({ order }: { readonly order: Order }): JSX.Element {
  const { text, since, isLate } = age(order.createdAt);
  return (
    <span class="two">
      <span class={`age ${isLate ? 'late' : ''}`}>
        {isLate ? icon('clock') : null}
        {text}
      </span>
      <time class="quiet" dateTime={order.createdAt}>
        {since}
      </time>
    </span>
  );
}

interface Hand {
  /** Whether there is something to press in the row. */
  readonly mayAct: boolean;
  readonly act: (action: OrderAction) => (event: MouseEvent) => void;
  readonly leave: () => void;
}

/** After an action the place of its button stays empty until the pointer leaves the row: a second click does no harm. */
export function useHand(order: Order): Hand {
  const wasPressed = useSignal(false);
  const isBusy = outcomeOf(order)?.kind === 'busy';
  return {
    mayAct: may('store:write') && !isBusy && !isOffline() && !wasPressed.value,
    act: (action) => (event) => {
      wasPressed.value = true;
      keepFocus(event);
      void action(shop(), order);
    },
    leave: () => (wasPressed.value = false),
  };
}

/** Rare: it shows for the row in hand, and the keyboard always reaches it. An animal that was removed has to be restored first. */
export function TakeBack({ order, act }: { readonly order: Order } & Pick<Hand, 'act'>): JSX.Element | null {
  if (shop().cache.animals.get(order.petId)?.removed) return null;
  return (
    <button
      type="button"
      class="button small wide take-back"
      aria-label={`Take back ${animalWord(order)}`}
      onClick={act(returnSale)}
    >
      Take back
    </button>
  );
}
