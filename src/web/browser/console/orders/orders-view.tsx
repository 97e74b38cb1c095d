import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { route } from '../address.ts';
import { orderQuery } from '../data/views.ts';
import { Search } from '../parts/search.tsx';
import { Unseen } from '../parts/unseen.tsx';
import { ORDERS } from '../route.ts';
import { shop } from '../session.ts';
import { FoundOrders } from './found-orders.tsx';
import { ReservedCard } from './reserved-card.tsx';
import { SoldCard } from './sold-card.tsx';

/** What waits and what was sold; or the orders that were searched for. */
export function OrdersView(): JSX.Element {
  const current = route.value.view === 'orders' ? route.value : ORDERS;
  const isFound = orderQuery(current) !== undefined;
  return (
    <>
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Orders
        </h1>
        {isFound ? <Unseen list={shop().foundOrders} nouns={['order', 'orders']} /> : <UnseenOrders />}
        <Search
          label="Find orders by a part of the animal’s name or of the note, or by the id of either"
          placeholder="Animal, id or note"
        />
      </div>
      {isFound ? (
        <FoundOrders route={current} />
      ) : (
        <>
          <ReservedCard />
          <SoldCard period={current.period} />
        </>
      )}
    </>
  );
}

/** What is new in both lists, behind one button. */
function UnseenOrders(): JSX.Element {
  const { reservedList, soldList } = shop();
  const unseen = useComputed(() => reservedList.unseen.value + soldList.unseen.value);
  const showUnseen = async () => {
    await Promise.all([reservedList, soldList].map((list) => list.unseen.peek() > 0 && list.showUnseen()));
  };
  const nouns =
    soldList.unseen.value === 0
      ? (['reservation', 'reservations'] as const)
      : reservedList.unseen.value === 0
        ? (['sale', 'sales'] as const)
        : (['order', 'orders'] as const);
  return <Unseen list={{ unseen, showUnseen }} nouns={nouns} />;
}
