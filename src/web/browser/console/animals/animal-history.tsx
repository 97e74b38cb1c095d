import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { ByWhom, type ByWhomProps, eventShape, petChange, sharedKeyNames } from '../activity/event-words.tsx';
import { may } from '../data/permissions.ts';
import { history } from '../data/store.ts';
import { moment } from '../parts/time.ts';
import { ordersHref } from '../route.ts';
import { OrderHistory } from './order-history.tsx';

/** What has happened to an animal, the latest first, and by whom; its orders alone where the key does not open that. */
export function AnimalHistory({ petId }: { readonly petId: bigint }): JSX.Element | null {
  const { of, events, orders } = history.value;
  if (of !== petId) return null;
  if (!events) return <OrderHistory petId={petId} />;
  const shared = sharedKeyNames(events);
  return (
    <section class="history" aria-label="History">
      <div class="history-head">
        <h3>History</h3>
        {orders.length > 0 && may('store:read') ? <a href={ordersHref(petId)}>All its orders</a> : null}
      </div>
      <ul>
        {events.map((event) => (
          <HistoryLine key={event.id} event={event} shared={shared} />
        ))}
      </ul>
      {events.length === 0 ? <p class="hint">Nothing is recorded.</p> : null}
    </section>
  );
}

function HistoryLine({ event, shared }: ByWhomProps): JSX.Element {
  const shape = eventShape(event);
  return (
    <li>
      <span class={`status ${shape}`}>
        {icon(shape)}
        <span>{petChange(event)}</span>
      </span>
      <span class="history-time">{moment(event.at)}</span>
      <span class="history-more">
        <span>
          <ByWhom event={event} shared={shared} />
        </span>
      </span>
    </li>
  );
}
