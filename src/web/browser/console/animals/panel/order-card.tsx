import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import type { Order } from '../../../../../client/index.ts';
import { icon } from '../../../shared/icons.tsx';
import type { Animal } from '../../data/cache/animal.ts';
import { ago, moment, reservedAt } from '../../parts/time.ts';
import { statusWord } from '../../parts/wording.ts';
import { may, shop } from '../../session.ts';
import { NewNote, NoteEdit } from './note.tsx';
import { isWithoutOrder, orderOf } from './order-of.ts';

/** Why the animal is what it is: its reservation, its sale, its removal. For an available one, the note of the order to come. */
export function OrderCard({ animal }: { readonly animal: Animal }): JSX.Element | null {
  if (animal.removed) return <RemovalCard animal={animal} />;
  if (animal.status === 'available') return may('store:write') ? <NewNote petId={animal.id} /> : null;
  const order = orderOf(animal);
  if (order?.status === 'placed') return <ReservationCard key={`${order.id}`} order={order} />;
  if (order) return <SaleCard order={order} />;
  return isWithoutOrder(animal) ? <CardWithoutOrder animal={animal} /> : null;
}

const Card = ({ isOver, children }: { readonly isOver: boolean; readonly children: ComponentChildren }) => (
  <div class={`order ${isOver ? 'over' : ''}`}>{children}</div>
);

function ReservationCard({ order }: { readonly order: Order }): JSX.Element {
  const isStarted = useSignal(false);
  const draft = shop().noteEdits.of(order.id);
  const start = () => {
    isStarted.value = true;
    shop().noteEdits.begin(order.id, order.note);
  };
  // The keyboard goes on in the panel, and not at the beginning of the page.
  const closed = () => document.querySelector<HTMLElement>('.panel')?.focus({ preventScroll: true });
  if (draft.value !== undefined && may('store:write'))
    return (
      <Card isOver={false}>
        <NoteEdit order={order} takesFocus={isStarted.value} onClose={closed} />
      </Card>
    );
  return (
    <Card isOver={false}>
      <p class="order-note">
        {noteText(order)}
        {may('store:write') ? (
          <button
            type="button"
            class="button plain small square"
            aria-label={order.note === undefined ? 'Add a note' : 'Edit the note'}
            onClick={start}
          >
            {icon('pencil')}
          </button>
        ) : null}
      </p>
      <p class="about">
        Order <span class="id">{`${order.id}`}</span>, reserved {moment(order.createdAt)}
        {byWhom(shop().cache.latestEvent('order.placed', order.id)?.keyName)}
      </p>
    </Card>
  );
}

function SaleCard({ order }: { readonly order: Order }): JSX.Element {
  const { id, completedAt = order.updatedAt } = order;
  const reserved = reservedAt(order);
  return (
    <Card isOver>
      <p class="order-note">{noteText(order)}</p>
      <p class="about">
        Order <span class="id">{`${id}`}</span>, sold {moment(completedAt)}
        {byWhom(shop().cache.latestEvent('order.completed', id)?.keyName)}
      </p>
      {reserved === undefined ? null : <p class="about">{`Reserved ${moment(reserved)}`}</p>}
    </Card>
  );
}

const noteText = ({ note }: Order): JSX.Element =>
  note === undefined ? (
    <span class="quiet">No note</span>
  ) : (
    <span>
      <bdi>{note}</bdi>
    </span>
  );

function RemovalCard({ animal: { id, removed } }: { readonly animal: Animal }): JSX.Element {
  const by = byWhom(shop().cache.latestEvent('pet.removed', id)?.keyName);
  return (
    <Card isOver>
      <p class="order-note">
        {removed?.reason === undefined ? (
          <span class="quiet">No reason given</span>
        ) : (
          <span>
            <bdi>{removed.reason}</bdi>
          </span>
        )}
      </p>
      {removed?.at === undefined ? null : (
        <p class="about">
          Removed {ago(removed.at)}
          {by}
        </p>
      )}
    </Card>
  );
}

const CardWithoutOrder = ({ animal }: { readonly animal: Animal }): JSX.Element => (
  <Card isOver={animal.status === 'sold'}>
    <p class="order-note">{`${statusWord(animal.status)} without an order`}</p>
    <p class="about">{origin(animal)}</p>
  </Card>
);

/** How an animal came to its status, as far as its history tells. */
function origin({ id, status }: Animal): string {
  const event = shop()
    .panel.historyOf(id)
    ?.find(
      ({ type, pet, before }) =>
        pet?.status === status && (type === 'pet.created' || before?.status !== undefined),
    );
  if (!event) return 'It came like this with an import.';
  return `It was ${event.type === 'pet.created' ? 'added' : 'set'} like this ${moment(event.at)}.`;
}

const byWhom = (keyName: string | null | undefined): ComponentChildren =>
  keyName === undefined ? null : (
    <>
      {' by '}
      <bdi>{keyName ?? 'the command line'}</bdi>
    </>
  );
