import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Order } from '../../../../client/index.ts';
import { dayOf, type Period, periodTitle, rangeOf, timeOfDay } from '../data/calendar.ts';
import { count, counted } from '../data/text.ts';
import { authorWord } from '../parts/event-words.tsx';
import { DayRows, ListCard, PageHead, Unseen } from '../parts/list.tsx';
import { AnimalRow } from '../parts/row.tsx';
import { RunningOr, State } from '../parts/status.tsx';
import { age, groupByDay, moment, statusSince } from '../parts/words.ts';
import { ANIMALS, ORDERS, type RouteOf, route, routeHref } from '../route.ts';
import { may, shop } from '../session.ts';
import { PeriodBar } from './period.tsx';

export function OrdersView(): JSX.Element {
  const period = route.value.view === 'orders' ? (route.value as RouteOf<'orders'>).period : ORDERS.period;
  const { reservedList, soldList } = shop();
  const [reserved, sold] = [reservedList.unseen.value > 0, soldList.unseen.value > 0];
  return (
    <>
      <PageHead title="Orders">
        <Unseen
          lists={[reservedList, soldList]}
          nouns={
            reserved && sold
              ? ['order', 'orders']
              : sold
                ? ['sale', 'sales']
                : ['reservation', 'reservations']
          }
        />
      </PageHead>
      <ReservedCard />
      <SoldCard period={period} />
    </>
  );
}

/* Reservations. */

/** The oldest reservation first. One that was sold or cancelled keeps its row, with its state, until the list is loaded again. */
function ReservedCard(): JSX.Element {
  const list = shop().reservedList;
  return (
    <ListCard
      list={list}
      label="Reserved"
      bar={<ReservedBar />}
      rows={() => (
        <ul class="rows orders">
          {(list.items.value ?? []).toReversed().map((order) => (
            <OrderRow key={`${order.id}`} order={order} isSale={false} />
          ))}
        </ul>
      )}
      empty={
        <div class="empty">
          <h2>No reservations</h2>
        </div>
      }
      end={
        list.next.value === undefined ? undefined : (
          <a class="quiet" href={routeHref({ ...ANIMALS, tab: 'pending' })}>
            All reserved animals
          </a>
        )
      }
      foot={<WithoutOrder />}
    />
  );
}

/** The orders that are placed now, including those that are not shown yet. */
const waiting = (): readonly Order[] => {
  const { items, unseenItems } = shop().reservedList;
  return [...(items.value ?? []), ...unseenItems.value].filter(({ status }) => status === 'placed');
};

function ReservedBar(): JSX.Element {
  const { ids, next } = shop().reservedList;
  const number = useComputed(() => waiting().length).value;
  const isAll = next.value === undefined;
  const facts = [
    ...(isAll ? [] : [`the latest ${count(ids.value?.length ?? 0)}`]),
    ...(number > 1 ? ['oldest first'] : []),
  ];
  return (
    <div class="bar">
      <h2 class="state reserved">Reserved{ids.value && isAll ? ` ${count(number)}` : ''}</h2>
      <span class="quiet">{facts.join(', ')}</span>
    </div>
  );
}

/**
 * How many animals are reserved without an order, such as imported ones: all that are reserved less those with an order. The two are
 * compared only when both have just been loaded: an action changes an order here at once, and the count of animals only afterwards.
 */
function WithoutOrder(): JSX.Element | null {
  const number = useSignal(0);
  useSignalEffect(() => {
    const { loads, counts, reservedList: list } = shop();
    void loads.value;
    const pending = counts.all.peek()?.pending;
    if (pending === undefined || !list.ids.peek() || list.loading.peek()) return;
    const orders = [...(list.items.peek() ?? []), ...list.unseenItems.peek()];
    const ordered = orders.filter(({ status }) => status === 'placed').length;
    number.value = list.next.peek() === undefined ? Number(pending) - ordered : 0;
  });
  if (number.value <= 0 || !may('pets:read')) return null;
  return (
    <p class="end-of-list">
      <a class="quiet" href={routeHref({ ...ANIMALS, tab: 'pending', withoutOrder: true })}>
        {counted(number.value, 'animal is', 'animals are')} reserved without an order
      </a>
    </p>
  );
}

/* Sales. */

/** Whether an order is a sale. A returned one still is; one whose sale was undone is not. */
const isSale = ({ completedAt }: Order): boolean => completedAt !== undefined;

/** Every known sale of the period, including those that are not shown yet. */
const knownSales = (): readonly Order[] => {
  const { items, unseenItems } = shop().soldList;
  return [...(items.value ?? []), ...unseenItems.value].filter(isSale);
};

interface Tally {
  readonly sold: number;
  readonly returned: number;
}

function tally(sales: readonly Order[]): Tally {
  const sold = sales.filter(({ status }) => status === 'completed').length;
  return { sold, returned: sales.length - sold };
}

interface PeriodProps {
  readonly period: Period;
}

/** The sales of a period, by the day of the sale. */
function SoldCard({ period }: PeriodProps): JSX.Element {
  const list = shop().soldList;
  const { ids, next } = list;
  // An order whose sale was undone no longer has the time of the sale. Its row stays below its day.
  const times = useRef(new Map<bigint, string>()).current;
  const soldAt = ({ id, completedAt, updatedAt }: Order): string => {
    if (completedAt !== undefined) times.set(id, completedAt);
    return times.get(id) ?? updatedAt;
  };
  const latest = next.value === undefined ? '' : `the latest ${count(ids.value?.length ?? 0)}`;
  const all = tally(knownSales());
  const rows = () => {
    const days = groupByDay(list.items.value ?? [], soldAt);
    const known = Map.groupBy(knownSales(), (order) => dayOf(new Date(soldAt(order))));
    return days.map(({ day, title, more, items }, index) => (
      <DayRows
        key={day}
        title={title}
        // More of the last day may follow the last row.
        facts={[more, latest === '' || index < days.length - 1 ? dayFacts(tally(known.get(day) ?? [])) : '']}
        of={`orders ${items.some(isSale) ? '' : 'undone'}`}
      >
        {items.map((order) => (
          <OrderRow key={`${order.id}`} order={order} isSale />
        ))}
      </DayRows>
    ));
  };
  return (
    <ListCard
      list={list}
      label="Sold"
      bar={
        <>
          <p class="print-only">
            {[`Sold ${inWords(period)}`, ...(latest === '' ? [] : [latest])].join(', ')}
            {`: ${count(all.sold)}, returned: ${count(all.returned)}`}
          </p>
          <PeriodBar
            period={period}
            title={ids.value && latest === '' ? `Sold ${count(all.sold)}` : 'Sold'}
            about={latest}
          />
        </>
      }
      rows={rows}
      end={latest === '' ? undefined : 'Choose dates to see others. The CSV file has all.'}
      empty={
        <div class="empty">
          <h2>{typeof period === 'string' ? NOTHING[period] : `Nothing was sold ${inWords(period)}`}</h2>
        </div>
      }
    />
  );
}

const NOTHING = { today: 'Nothing sold yet today', week: 'Nothing sold yet this week' } as const;

/** `4 sold, 1 returned` */
const dayFacts = ({ sold, returned }: Tally): string =>
  `${count(sold)} sold${returned > 0 ? `, ${count(returned)} returned` : ''}`;

/** `on Tuesday 17 November 2026`, `from Monday 16 to Tuesday 17 November 2026` */
function inWords(period: Period): string {
  const { from, to } = rangeOf(period);
  return `${from === to ? 'on' : 'from'} ${periodTitle(period)}`;
}

/* The row of both lists. */

interface OrderProps {
  readonly order: Order;
  /** Whether the row is about the sale, or about the reservation. */
  readonly isSale: boolean;
}

function OrderRow({ order, isSale: isOfSale }: OrderProps): JSX.Element {
  const { petId, note, status } = order;
  const isUndone = isOfSale && !isSale(order);
  const text = [...(isOfSale && status === 'returned' ? [returnedText(order)] : []), ...(note ? [note] : [])];
  const keyName = isOfSale ? order.completedBy : order.createdBy;
  return (
    <AnimalRow
      id={petId}
      order={order}
      class={`${isUndone ? 'undone' : ''} ${status === 'completed' && !isOfSale ? 'sold-row' : ''}`}
      cells={() => (
        <>
          <When order={order} isSale={isOfSale} />
          <span class="note">
            {text.length === 0 ? null : <bdi title={text.join(' · ')}>{text.join(' · ')}</bdi>}
          </span>
          <span class="quiet">{keyName === undefined ? null : authorWord(keyName)}</span>
        </>
      )}
    />
  );
}

/** Since when a reservation waits, or when a sale was made. If that is over or was undone, the state. */
function When({ order, isSale: isOfSale }: OrderProps): JSX.Element {
  const { id, petId, status, createdAt, completedAt } = order;
  // A running action on an animal is about its latest order.
  const isLatest = useComputed(() => shop().cache.ordersOf(petId)[0]?.id === id).value;
  const shown =
    isOfSale && completedAt !== undefined ? (
      <time dateTime={completedAt}>{timeOfDay(new Date(completedAt))}</time>
    ) : !isOfSale && status === 'placed' ? (
      <Age since={createdAt} />
    ) : (
      <State status={status} />
    );
  return isLatest ? <RunningOr id={petId}>{shown}</RunningOr> : shown;
}

/** For how long a reservation has waited. After three days it is marked. */
function Age({ since: iso }: { readonly since: string }): JSX.Element {
  const { text, since, isLate } = age(iso);
  return (
    <span>
      {isLate ? <span class="mark">{text}</span> : text}
      <small>
        <time dateTime={iso}>{since}</time>
      </small>
    </span>
  );
}

/** `Returned at 15:44`, with the day if it is not that of the sale. */
function returnedText(order: Order): string {
  const since = statusSince(order);
  const date = new Date(since);
  const isSameDay = dayOf(new Date(order.completedAt ?? since)) === dayOf(date);
  return `Returned ${isSameDay ? `at ${timeOfDay(date)}` : moment(since)}`;
}
