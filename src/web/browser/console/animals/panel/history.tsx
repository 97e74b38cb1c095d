import type { ComponentChildren, JSX } from 'preact';
import type { Order } from '../../../../../client/index.ts';
import { icon } from '../../../shared/icons.tsx';
import { ByWhom, eventShape, petChange, sharedKeyNames } from '../../activity/event-words.tsx';
import { shapeOf } from '../../parts/status.tsx';
import { moment, shortMoment, statusSince } from '../../parts/time.ts';
import { short, statusWord } from '../../parts/wording.ts';
import { ordersHref } from '../../route.ts';
import { may, shop } from '../../session.ts';

/** What has happened to an animal, the latest first, and by whom; its orders alone where the key does not allow to see that. */
export function AnimalHistory({ petId }: { readonly petId: bigint }): JSX.Element | null {
  const orders = shop().cache.ordersOf(petId);
  const lines = may('events:read') ? eventLines(petId) : orders.map(orderLine);
  if (!lines) return null;
  return (
    <>
      <h3>{may('events:read') ? 'History' : 'Orders'}</h3>
      {lines.length > 0 ? <ol class="history">{lines}</ol> : <p class="hint">Nothing is recorded.</p>}
      {orders.length > 1 && may('store:read') ? (
        <p>
          <a href={ordersHref(petId)}>All its orders</a>
        </p>
      ) : null}
    </>
  );
}

/** Undefined while they are not known. */
function eventLines(petId: bigint): readonly JSX.Element[] | undefined {
  const events = shop().panel.historyOf(petId);
  const shared = sharedKeyNames(events ?? []);
  return events?.map((event) => (
    <Line key={event.id} shape={eventShape(event)} at={event.at}>
      {petChange(event)}{' '}
      <span class="by">
        <ByWhom event={event} shared={shared} />
      </span>
    </Line>
  ));
}

const orderLine = (order: Order): JSX.Element => (
  <Line key={`${order.id}`} shape={shapeOf(order.status)} at={statusSince(order)}>
    {`${statusWord(order.status)}${order.note === undefined ? '' : `: ${short(order.note)}`}`}
  </Line>
);

interface LineProps {
  readonly shape: Parameters<typeof icon>[0];
  readonly at: string;
  readonly children: ComponentChildren;
}

const Line = ({ shape, at, children }: LineProps): JSX.Element => (
  <li class={shape}>
    {icon(shape)}
    <span>{children}</span>
    <time dateTime={at} title={moment(at)}>
      {shortMoment(at)}
    </time>
  </li>
);
