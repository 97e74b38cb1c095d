import type { JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { history } from '../data/store.ts';
import { statusMark } from '../parts/status.tsx';
import { moment, statusSince } from '../parts/time.ts';
import { ordersHref } from '../route.ts';

/** The orders of an animal, the latest first: when each was placed, how it was closed, and its note. */
export function OrderHistory({ petId }: { readonly petId: bigint }): JSX.Element | null {
  const { of, orders } = history.value;
  if (of !== petId || orders.length === 0) return null;
  return (
    <section class="history" aria-label="Orders">
      <div class="history-head">
        <h3>Orders</h3>
        <a href={ordersHref(petId)}>All its orders</a>
      </div>
      <ul>
        {orders.map((order) => (
          <li key={`${order.id}`}>
            {statusMark(order.status)}
            <span class="history-time">{moment(statusSince(order))}</span>
            <span class="history-more">{moreAbout(order)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const moreAbout = ({ id, note }: Order): JSX.Element => (
  <>
    <span class="id">{`${id}`}</span>
    {note === undefined ? null : <bdi>{note}</bdi>}
  </>
);
