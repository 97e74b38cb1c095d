import type { JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { newestFirst } from '../data/find-orders.ts';
import { orders, petsById } from '../data/store.ts';
import { type Day, groupByDay } from '../parts/days.ts';
import { ListCard } from '../parts/list-card.tsx';
import { News } from '../parts/news.tsx';
import { Rows } from '../parts/rows.tsx';
import { Search } from '../parts/search.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { counted, short, statusWord } from '../parts/wording.ts';
import { animalHref, ORDERS, orderStatuses, route, routeHref } from '../route.ts';
import { OrderRow } from './order-row.tsx';

const NOUNS = ['order', 'orders'] as const;

/** The orders, a day at a time. */
export function OrdersView(): JSX.Element {
  const isSearch = route.value.view === 'orders' && route.value.name !== '';
  const isComplete = orders.next.value === undefined;
  return (
    <>
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Orders
        </h1>
        <News list={orders} nouns={NOUNS} />
      </div>
      <ListCard<Order>
        list={orders}
        label="Orders"
        nouns={NOUNS}
        total={undefined}
        bar={
          <div class="bar">
            <Tabs statuses={orderStatuses} />
            <div class="filters short">
              <Found />
            </div>
          </div>
        }
        rows={(items) =>
          // What a search finds later may belong to any day.
          groupByDay(isSearch ? newestFirst(items) : items, ({ createdAt }) => createdAt, isComplete).map(
            (day) => <DayGroup key={day.key} day={day} isCounted={isComplete || !isSearch} />,
          )
        }
        empty={<Empty />}
      />
    </>
  );
}

/** The animal whose orders are shown, or a way to find orders. */
function Found(): JSX.Element {
  const of = route.value.view === 'orders' ? route.value.of : undefined;
  if (of === undefined)
    return (
      <Search
        label="Find orders by a part of the animal’s name or of the note, or by the id of the animal or the order"
        placeholder="Animal’s name, note, or id"
      />
    );
  const pet = petsById.value.get(of);
  return (
    <p class="only">
      <span class="cut">
        Orders of{' '}
        <a href={animalHref(of)}>
          <bdi>{pet?.name ?? `animal ${of}`}</bdi>
        </a>
      </span>
      <a class="button small" href={routeHref(ORDERS)}>
        Show all
      </a>
    </p>
  );
}

interface DayGroupProps {
  readonly day: Day<Order>;
  readonly isCounted: boolean;
}

function DayGroup({ day, isCounted }: DayGroupProps): JSX.Element {
  const { title, more, items: placed, isWhole } = day;
  const reserved = placed.filter(({ status }) => status === 'placed').length;
  const completed = placed.filter(({ status }) => status === 'completed').length;
  const counts = [
    counted(placed.length, 'order', 'orders'),
    ...(reserved > 0 ? [`${reserved} reserved`] : []),
    ...(completed > 0 ? [`${completed} sold`] : []),
  ].join(', ');
  return (
    <section class="day" aria-label={title}>
      <div class="day-head">
        <h2>{title}</h2>
        <p>{[more, isWhole && isCounted ? counts : ''].filter(Boolean).join(' · ')}</p>
      </div>
      <Rows
        items={placed}
        row={(order) => <OrderRow key={`${order.id}`} order={order} />}
        total={orders.items.value?.length ?? 0}
        height="var(--order-row)"
      />
    </section>
  );
}

function Empty(): JSX.Element {
  const current = route.value;
  const { status } = current;
  if (current.view === 'orders' && (current.name !== '' || current.of !== undefined))
    return (
      <div class="empty">
        <h2>
          {current.of === undefined
            ? `No order has a note or an animal’s name that contains ${short(current.name)}, or this id`
            : 'No such order of this animal'}
        </h2>
        <a class="button" href={routeHref(ORDERS)}>
          Show all orders
        </a>
      </div>
    );
  return (
    <div class="empty">
      <h2>{status === undefined ? 'No orders yet' : `No ${statusWord(status).toLowerCase()} orders`}</h2>
      <p>Reserve an available animal to place an order.</p>
      <a class="button" href={routeHref({ view: 'animals', status: 'available', name: '' })}>
        See available animals
      </a>
    </div>
  );
}
