import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { route } from '../address.ts';
import type { Animal } from '../data/cache/animal.ts';
import { closePanel } from '../navigation.ts';
import { Panel } from '../parts/panel.tsx';
import { ANIMALS, routeHref } from '../route.ts';
import { may, shop } from '../session.ts';
import { PanelActions } from './panel/actions.tsx';
import { EditButtons, EditFields } from './panel/edit-form.tsx';
import { PanelHead } from './panel/head.tsx';
import { AnimalHistory } from './panel/history.tsx';
import { OrderCard } from './panel/order-card.tsx';
import { RemoveQuestion } from './panel/remove-question.tsx';
import { Steps } from './panel/steps.tsx';

/** What the panel of one animal is used for. */
interface Use {
  readonly of: bigint | undefined;
  readonly kind: 'look' | 'edit' | 'remove';
  /** Whether the form was opened with what was typed before. */
  readonly isResumed?: boolean;
}

const LOOK: Use = { of: undefined, kind: 'look' };

/** Everything about one animal, over the list. */
export function AnimalPanel(): JSX.Element | null {
  const id = route.value.animal;
  const use = useSignal(LOOK);
  if (id === undefined) return null;
  const animal = shop().cache.animals.get(id);
  if (!animal)
    return (
      <Panel label={`Animal ${id}`} onClose={closePanel} tools={<Steps id={id} />}>
        <Missing id={id} />
      </Panel>
    );
  // Whatever it was used for belongs to the animal before.
  const { kind, isResumed = false } = use.value.of === id && !animal.removed ? use.value : LOOK;
  const look = () => (use.value = LOOK);
  const startEdit = () => {
    const hasEdit = shop().hasEdit(id);
    // A form in which nothing was typed is opened with the values of now.
    if (!hasEdit) shop().discardEdit(id);
    use.value = { of: id, kind: 'edit', isResumed: hasEdit };
  };
  const form = kind === 'edit' ? shop().editOf(animal) : undefined;
  const foot = form ? (
    <EditButtons key={`${id} edit`} form={form} onClose={look} />
  ) : kind === 'remove' ? (
    <RemoveQuestion key={`${id} remove`} animal={animal} onClose={look} />
  ) : (
    <PanelActions
      key={`${id}`}
      animal={animal}
      isSecondary={isNoteEdited(id)}
      onEdit={startEdit}
      onRemove={() => (use.value = { of: id, kind: 'remove' })}
    />
  );
  return (
    <Panel
      label={animal.name}
      onClose={kind === 'look' ? closePanel : look}
      tools={<Steps id={id} />}
      // The list of categories needs room.
      isTall={kind === 'edit'}
      foot={foot}
    >
      {form ? (
        <EditFields key={`${id}`} form={form} isResumed={isResumed} onClose={look} />
      ) : (
        <Facts key={`${id}`} animal={animal} />
      )}
    </Panel>
  );
}

function isNoteEdited(id: bigint): boolean {
  const order = shop().cache.reservationOf(id);
  return order !== undefined && shop().noteEdits.of(order.id).value !== undefined;
}

function Facts({ animal }: { readonly animal: Animal }): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  // The next animal is read from the top.
  useLayoutEffect(() => root.current?.closest('.panel-body')?.scrollTo(0, 0), []);
  return (
    <div ref={root}>
      <PanelHead animal={animal} />
      <OrderCard animal={animal} />
      <AnimalHistory petId={animal.id} />
    </div>
  );
}

/** An animal that is not loaded yet, or that the service does not know. */
function Missing({ id }: { readonly id: bigint }): JSX.Element {
  const isKnown = shop().cache.animals.isKnown(id);
  const isAllowed = may('pets:read');
  return (
    <div class="empty">
      <h2>{isKnown ? 'No such animal' : isAllowed ? 'Loading…' : 'Your key does not allow this'}</h2>
      {isKnown ? (
        <p>
          No animal has the id <span class="id">{`${id}`}</span>, and none had it. The link may be mistyped.{' '}
          <a href={routeHref(ANIMALS)}>See all animals</a>
        </p>
      ) : (
        <p class="id">{`${id}`}</p>
      )}
    </div>
  );
}
