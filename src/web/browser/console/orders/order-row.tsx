import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { cancel, complete } from '../data/actions.ts';
import { isOffline } from '../data/connection.ts';
import { outcomes } from '../data/outcomes.ts';
import { may } from '../data/permissions.ts';
import { petsById } from '../data/store.ts';
import { keepFocus } from '../parts/keep-focus.ts';
import { RowState } from '../parts/row-state.tsx';
import { Tag } from '../parts/tag.tsx';
import { dayOf, moment, statusSince, timeOfDay } from '../parts/time.ts';
import { animalHref } from '../route.ts';

/** One order: when it was placed, its animal, and how it stands. The whole row opens the panel of the animal. */
export function OrderRow({ order }: { readonly order: Order }): JSX.Element {
  const pet = petsById.value.get(order.petId);
  const acted = useSignal(false);
  const isResting = outcomes.value.get(`order-${order.id}`)?.kind === 'busy' || isOffline.value;
  const act = (action: (order: Order) => Promise<void>) => (event: MouseEvent) => {
    acted.value = true;
    keepFocus(event);
    void action(order);
  };
  return (
    <li
      class={`row is-order ${order.status === 'placed' ? '' : 'is-over'}`}
      onPointerLeave={() => (acted.value = false)}
    >
      <span class="order-time">
        <time dateTime={order.createdAt}>{timeOfDay(new Date(order.createdAt))}</time>
        <span class="id" title={`Order ${order.id}`}>{`${order.id}`}</span>
      </span>
      {pet ? <Tag categoryId={pet.categoryId} /> : <span class="tag blank" />}
      <a class="row-name" href={animalHref(order.petId)}>
        <bdi class="name" title={pet?.name}>
          {pet?.name ?? (may('pets:read') ? '…' : `Animal ${order.petId}`)}
        </bdi>
        {order.note === undefined ? (
          <span class="id">{`${order.petId}`}</span>
        ) : (
          <bdi class="order-note" title={order.note}>
            {order.note}
          </bdi>
        )}
      </a>
      <span class="row-meta">
        <RowState place={`order-${order.id}`} status={order.status}>
          {order.status === 'placed' ? null : <span class="note">{closedAt(order)}</span>}
        </RowState>
      </span>
      <span class="row-action">
        {order.status === 'placed' && may('store:write') && !isResting && !acted.value ? (
          <>
            <button
              type="button"
              class="button small plain"
              aria-label={`Cancel order ${order.id}`}
              onClick={act(cancel)}
            >
              Cancel
            </button>
            <button
              type="button"
              class="button small first"
              aria-label={`Complete order ${order.id}`}
              onClick={act(complete)}
            >
              Complete
            </button>
          </>
        ) : null}
      </span>
    </li>
  );
}

/** When it was closed: the time, and the day if it is another one. */
function closedAt(order: Order): string {
  const closed = new Date(statusSince(order));
  return dayOf(closed) === dayOf(new Date(order.createdAt)) ? timeOfDay(closed) : moment(statusSince(order));
}
