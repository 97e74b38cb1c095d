import type { JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { route } from '../address.ts';
import { timeOfDay } from '../parts/time.ts';
import { short } from '../parts/wording.ts';
import { shop } from '../session.ts';
import { OrderAnimal } from './order-animal.tsx';
import { TakeBack, useHand } from './order-row.tsx';
import { outcomeOf, RowResult } from './row-result.tsx';

/** A sale: when, which animal, for whom, by which key. */
export function SaleRow({ order }: { readonly order: Order }): JSX.Element {
  const { petId, note, status, completedAt = order.updatedAt } = order;
  const hand = useHand(order);
  return (
    <li
      class={`row is-sale ${status === 'completed' ? '' : 'is-returned'} ${route.value.animal === petId ? 'chosen' : ''}`}
      onPointerLeave={hand.leave}
    >
      <time dateTime={completedAt}>{timeOfDay(new Date(completedAt))}</time>
      <OrderAnimal petId={petId} />
      <span class="row-note">{note === undefined ? null : <bdi title={note}>{note}</bdi>}</span>
      {status === 'completed' && !outcomeOf(order) ? (
        <span class="two" />
      ) : (
        <RowResult order={order} isBelowDay />
      )}
      <span class="by">
        <SoldBy order={order} />
      </span>
      <span class="row-action">
        {status === 'completed' && hand.mayAct ? <TakeBack order={order} act={hand.act} /> : null}
      </span>
    </li>
  );
}

/** The key that has sold it, where that is known. */
function SoldBy({ order: { id } }: { readonly order: Order }): JSX.Element | null {
  const credit = shop().cache.latestEvent('order.completed', id);
  if (!credit) return null;
  const name = short(credit.keyName ?? 'the command line').slice(1, -1);
  return (
    <>
      by <bdi title={credit.keyName ?? undefined}>{name}</bdi>
    </>
  );
}
