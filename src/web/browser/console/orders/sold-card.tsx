import type { JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { dayOf } from '../parts/calendar.ts';
import { type DayGroup, groupByDay } from '../parts/days.ts';
import { ListCard } from '../parts/list-card.tsx';
import { type Period, periodTitle, rangeOf } from '../parts/period.ts';
import { Rows } from '../parts/rows.tsx';
import { statusMark } from '../parts/status.tsx';
import { count } from '../parts/wording.ts';
import { ORDERS, routeHref } from '../route.ts';
import { shop } from '../session.ts';
import { PeriodDates, PeriodTabs } from './period-tabs.tsx';
import { SaleRow } from './sale-row.tsx';
import { SalesTools } from './sales-tools.tsx';

/** When a sale was made. */
const soldAt = ({ completedAt, updatedAt }: Order): string => completedAt ?? updatedAt;

/** The sales among the rows. One that was undone is none. */
const salesIn = (orders: readonly Order[] = []): readonly Order[] =>
  orders.filter(({ completedAt }) => completedAt !== undefined);

/** Every sale of the period that is known, with those that wait to be shown. */
const knownSales = (): readonly Order[] => {
  const { items, unseenItems } = shop().soldList;
  return salesIn([...(items.value ?? []), ...unseenItems.value]);
};

const soldCount = (sales: readonly Order[]): number =>
  sales.filter(({ status }) => status === 'completed').length;

/** What was sold in a period, by the day of the sale. */
export function SoldCard({ period }: { readonly period: Period }): JSX.Element {
  const list = shop().soldList;
  const isComplete = list.next.value === undefined;
  return (
    <>
      <p class="print-only">{onPaper(period)}</p>
      <ListCard
        list={list}
        label="Sold"
        bar={
          <>
            <div class="part">
              <h2>
                {statusMark('completed')}{' '}
                {list.ids.value && isComplete ? (
                  <span class="count">{count(soldCount(knownSales()))}</span>
                ) : null}
              </h2>
              {isComplete ? null : (
                <span class="quiet">{`the latest ${count(list.ids.value?.length ?? 0)}`}</span>
              )}
              <PeriodTabs period={period} />
              <SalesTools period={period} />
            </div>
            {typeof period === 'object' ? <PeriodDates range={period} /> : null}
          </>
        }
        rows={() =>
          groupByDay(salesIn(list.items.value), soldAt, isComplete).map((day) => (
            <SaleDay key={day.key} day={day} />
          ))
        }
        empty={<Empty period={period} />}
        end={<CancelledLink />}
      />
    </>
  );
}

/** `on Tuesday 17 November 2026`, `from Monday 16 to Tuesday 17 November 2026` */
function inWords(period: Period): string {
  const { from, to } = rangeOf(period);
  return `${from === to ? 'on' : 'from'} ${periodTitle(period)}`;
}

/** `Sold from Monday 16 to Tuesday 17 November 2026: 6, returned: 1` */
function onPaper(period: Period): string {
  const sales = knownSales();
  const sold = soldCount(sales);
  return `Sold ${inWords(period)}: ${count(sold)}, returned: ${count(sales.length - sold)}`;
}

function SaleDay({
  day: { key, title, more, items, isWhole },
}: {
  readonly day: DayGroup<Order>;
}): JSX.Element {
  const ofDay = knownSales().filter((order) => dayOf(new Date(soldAt(order))) === key);
  const sold = soldCount(ofDay);
  const returned = ofDay.length - sold;
  const facts = [`${count(sold)} sold`, ...(returned > 0 ? [`${count(returned)} returned`] : [])].join(', ');
  return (
    <>
      <div class="day">
        <h3>{title}</h3>
        {more === '' ? null : <span class="quiet">{isWhole ? `${more} ·` : more}</span>}
        {isWhole ? <b>{facts}</b> : null}
      </div>
      <Rows
        items={items}
        row={(order) => <SaleRow key={`${order.id}`} order={order} />}
        total={shop().soldList.ids.value?.length ?? 0}
      />
    </>
  );
}

const CancelledLink = (): JSX.Element => (
  <a href={routeHref({ ...ORDERS, status: 'cancelled' })}>Cancelled reservations</a>
);

const NOTHING = {
  today: 'Nothing sold yet today',
  yesterday: 'Nothing was sold yesterday',
  week: 'Nothing sold yet this week',
} as const;

function Empty({ period }: { readonly period: Period }): JSX.Element {
  const isNew = shop().soldList.unseen.value > 0;
  const title = typeof period === 'string' ? NOTHING[period] : `Nothing was sold ${inWords(period)}`;
  return (
    <div class="empty">
      <h3>{isNew ? 'New sales wait above' : title}</h3>
      <p>
        <CancelledLink />
      </p>
    </div>
  );
}
