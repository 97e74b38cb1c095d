import type { JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { animalHref } from '../address.ts';
import { ListCard } from '../parts/list-card.tsx';
import { Rows } from '../parts/rows.tsx';
import { short, statusWord } from '../parts/wording.ts';
import { ORDERS, type Route, routeHref } from '../route.ts';
import { shop } from '../session.ts';
import { OrderRow } from './order-row.tsx';

type OrdersRoute = Extract<Route, { readonly view: 'orders' }>;
interface FoundProps {
  readonly route: OrdersRoute;
}

/** The orders that were searched for, those of one animal, or those with one status: one list, the newest first. */
export function FoundOrders({ route }: FoundProps): JSX.Element {
  const list = shop().foundOrders;
  return (
    <ListCard
      list={list}
      label="Orders found"
      nouns={['order', 'orders']}
      bar={
        <div class="part">
          <h2>
            <Title route={route} />
          </h2>
          {route.text === '' ? null : (
            <span class="quiet">{`with ${short(route.text)} in the note or the animal’s name, or as id`}</span>
          )}
          <span class="end">
            <a href={routeHref({ ...ORDERS, period: route.period })}>Show all</a>
          </span>
        </div>
      }
      rows={() => (
        <Rows
          // A search finds them in several ways, one after the other.
          items={(list.items.value ?? []).toSorted(newestFirst)}
          row={(order) => <OrderRow key={`${order.id}`} order={order} />}
        />
      )}
      empty={<Empty route={route} />}
    />
  );
}

const newestFirst = (one: Order, other: Order): number =>
  Number(one.id < other.id) - Number(one.id > other.id);

function Title({ route: { of, status, text } }: FoundProps): JSX.Element {
  const what = status === 'cancelled' ? 'Cancelled reservations' : status && statusWord(status);
  if (of === undefined) return <>{what ?? (text === '' ? 'Orders' : 'Found')}</>;
  const name = shop().cache.animals.get(of)?.name;
  return (
    <span class="cut">
      {what ?? 'Orders'} of{' '}
      <a href={animalHref(of)}>
        <bdi>{name ?? `animal ${of}`}</bdi>
      </a>
    </span>
  );
}

function Empty({ route: { of, status, text } }: FoundProps): JSX.Element {
  return (
    <div class="empty">
      <h3>
        {text !== ''
          ? `No order for ${short(text)}`
          : of !== undefined
            ? 'No such order of this animal'
            : status === 'cancelled'
              ? 'No reservation was cancelled'
              : 'No such order'}
      </h3>
      {text === '' ? null : (
        <p>Orders are found by a part of the animal’s name or of the note, or by the id of either.</p>
      )}
    </div>
  );
}
