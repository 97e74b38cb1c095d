import type { JSX } from 'preact';
import type { ListedPet, Order, Pet } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { trouble } from '../data/connection.ts';
import { shownStatus } from '../data/removed.ts';
import { animals, history, openPet, reservations } from '../data/store.ts';
import { closePanel } from '../navigation.ts';
import { Panel } from '../parts/panel.tsx';
import { RowState } from '../parts/row-state.tsx';
import { CategoryName, Tag } from '../parts/tag.tsx';
import { moment } from '../parts/time.ts';
import { REMOVED, replaceRoute, route, routeHref } from '../route.ts';
import { AnimalHistory } from './animal-history.tsx';
import { editing, leaveEditing } from './edit.ts';
import { EditButtons, EditForm } from './edit-form.tsx';
import { PanelActions } from './panel-actions.tsx';

/** Everything about one animal, over the list. */
export function AnimalPanel(): JSX.Element | null {
  const id = route.value.animal;
  const pet = openPet.value;
  if (id === undefined) return null;
  const order = pet && reservations.value.get(pet.id);
  const isEdited = editing.value !== undefined;
  const shown = pet ? <Facts pet={pet} order={order} /> : <Missing id={id} />;
  const buttons = pet && <PanelActions pet={pet} order={order} />;
  return (
    <Panel
      label={pet ? pet.name : `Animal ${id}`}
      onClose={isEdited ? leaveEditing : closePanel}
      tools={<Steps id={id} />}
      foot={isEdited ? <EditButtons /> : buttons}
    >
      {isEdited ? <EditForm /> : shown}
    </Panel>
  );
}

interface FactsProps {
  readonly pet: ListedPet;
  readonly order: Order | undefined;
}

function Facts({ pet, order }: FactsProps): JSX.Element {
  const { removedAt, reason } = shownStatus(pet) === 'removed' ? pet : {};
  return (
    <>
      <div class="panel-head">
        <span class="hung">
          <Tag categoryId={pet.categoryId} />
        </span>
        <div>
          <h2>
            <bdi>{pet.name}</bdi>
          </h2>
          <p class="panel-facts">
            <RowState place={`animal-${pet.id}`} status={shownStatus(pet)} />
          </p>
        </div>
      </div>
      {pet.status === 'pending' && order ? (
        <p class="order-card">
          <strong>
            <bdi>{order.note ?? `Order ${order.id}`}</bdi>
          </strong>
          <span>{`${order.note === undefined ? 'Reserved' : `Order ${order.id}, reserved`} ${moment(order.createdAt)}`}</span>
        </p>
      ) : null}
      <dl class="facts">
        <dt>Category</dt>
        <dd>
          <CategoryName categoryId={pet.categoryId} />
        </dd>
        <dt>Id</dt>
        <dd class="id">{`${pet.id}`}</dd>
        {removedAt === undefined ? null : (
          <>
            <dt>Removed</dt>
            <dd>
              {moment(removedAt)}
              {reason === undefined ? null : (
                <>
                  {': '}
                  <bdi>{reason}</bdi>
                </>
              )}
            </dd>
          </>
        )}
      </dl>
      <AnimalHistory petId={pet.id} />
    </>
  );
}

/** To the animal before and after it in the list. */
function Steps({ id }: { readonly id: bigint }): JSX.Element | null {
  const items = animals.items.value ?? [];
  const place = items.findIndex((pet) => pet.id === id);
  if (route.value.view === 'orders' || place < 0) return null;
  const step = (to: Pet | undefined, label: string, shape: 'up' | 'down') => (
    <button
      type="button"
      class="button plain small square"
      aria-label={label}
      aria-disabled={to === undefined}
      onClick={() => to && replaceRoute({ ...route.peek(), animal: to.id })}
    >
      {icon(shape)}
    </button>
  );
  return (
    <span class="steps">
      {step(items[place - 1], 'Previous animal', 'up')}
      {step(items[place + 1], 'Next animal', 'down')}
    </span>
  );
}

function Missing({ id }: { readonly id: bigint }): JSX.Element {
  // Its history is loaded last.
  const isKnown = history.value.of === id && !trouble.value;
  return (
    <div class="empty">
      <h2>{isKnown ? 'Not in the inventory' : 'Loading…'}</h2>
      <p class="id">{`${id}`}</p>
      {isKnown ? (
        <p>
          This animal was removed, or there never was one with this id.{' '}
          <a href={routeHref(REMOVED)}>See removed animals</a>
        </p>
      ) : null}
    </div>
  );
}
