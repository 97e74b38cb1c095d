import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { ListCard } from '../parts/list-card.tsx';
import { Rows } from '../parts/rows.tsx';
import { statusMark } from '../parts/status.tsx';
import { age } from '../parts/time.ts';
import { count } from '../parts/wording.ts';
import { ANIMALS, routeHref } from '../route.ts';
import { may, shop } from '../session.ts';
import { OrderRow } from './order-row.tsx';

/** What waits, the oldest first. What was sold or cancelled stays in its row until the person leaves. */
export function ReservedCard(): JSX.Element {
  const list = shop().reservedList;
  const waiting = useComputed(() =>
    [...(list.items.value ?? []), ...list.unseenItems.value].filter(isWaiting),
  );
  return (
    <ListCard
      class="waiting"
      list={list}
      label="Reserved"
      bar={<Head waiting={list.ids.value && waiting.value} />}
      rows={() => (
        <Rows
          // The list has the newest first.
          items={(list.items.value ?? []).toReversed()}
          row={(order) => <OrderRow key={`${order.id}`} order={order} />}
        />
      )}
      empty={<Empty />}
    />
  );
}

const isWaiting = ({ status }: Order): boolean => status === 'placed';

/** How many there are now, with those that wait to be shown. */
function Head({ waiting }: { readonly waiting: readonly Order[] | undefined }): JSX.Element {
  const { ids, next } = shop().reservedList;
  const isComplete = next.value === undefined;
  const late = waiting?.filter(({ createdAt }) => age(createdAt).isLate).length ?? 0;
  const facts = [
    ...(isComplete ? [] : [`the latest ${count(ids.value?.length ?? 0)}`]),
    ...(waiting && waiting.length > 1 ? ['oldest first'] : []),
    ...(late > 0 ? [`${count(late)} older than three days`] : []),
  ];
  return (
    <div class="part">
      <h2>
        {statusMark('placed')}{' '}
        {waiting && isComplete ? <span class="count">{count(waiting.length)}</span> : null}
      </h2>
      <span class="quiet">{facts.join(', ')}</span>
      <WithoutOrder />
    </div>
  );
}

/**
 * How many animals are reserved without an order, such as imported ones: all that are reserved less those with an order. The service counts
 * the former a moment after every change, so that the two are compared only when a count has arrived.
 */
function WithoutOrder(): JSX.Element | null {
  const number = useSignal(0n);
  useSignalEffect(() => {
    const { counts, reservedList: list } = shop();
    const pending = counts.all.value?.pending;
    const isKnown = list.ids.value !== undefined && list.next.value === undefined && !list.loading.value;
    const ordered = [...(list.items.peek() ?? []), ...list.unseenItems.peek()].filter(isWaiting).length;
    number.value = isKnown && pending !== undefined ? pending - BigInt(ordered) : 0n;
  });
  if (number.value <= 0n || !may('pets:read')) return null;
  return (
    <span class="end">
      <a href={routeHref({ ...ANIMALS, status: 'pending' })}>{`${count(number.value)} without an order`}</a>
    </span>
  );
}

function Empty(): JSX.Element {
  const { unseen } = shop().reservedList;
  return (
    <div class="empty">
      <h3>{unseen.value > 0 ? 'New reservations wait above' : 'Nothing is reserved'}</h3>
    </div>
  );
}
