import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Order, Pet } from '../../../../client/index.ts';
import { cancel, complete, reserve, returnSale, sell } from '../data/actions.ts';
import { isOffline } from '../data/connection.ts';
import { remove, restore } from '../data/corrections.ts';
import { outcomes } from '../data/outcomes.ts';
import { may } from '../data/permissions.ts';
import { shownStatus } from '../data/removed.ts';
import { history } from '../data/store.ts';
import { scopeWords } from '../parts/scopes.ts';
import { startEditing } from './edit.ts';
import { tidyName } from './values.ts';

interface PanelActionsProps {
  readonly pet: Pet;
  readonly order: Order | undefined;
}

interface Action {
  readonly text: string;
  readonly run: () => void;
  readonly kind?: 'main' | 'plain';
}

/** What one can do with the animal in the panel: the main thing first. */
export function PanelActions({ pet, order }: PanelActionsProps): JSX.Element {
  // Other buttons come to the same place: they rest until the pointer leaves it, so that a second click does no harm.
  const acted = useSignal(false);
  const note = useSignal('');
  const root = useRef<HTMLDivElement>(null);
  const status = shownStatus(pet);
  // A button that was pressed may be gone: the keyboard stays in the panel.
  const before = useRef(status);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    if (document.activeElement === document.body)
      root.current?.closest<HTMLElement>('.panel')?.focus({ preventScroll: true });
  }, [status]);
  const isBusy = outcomes.value.get(`animal-${pet.id}`)?.kind === 'busy';
  const rests = isBusy || isOffline.value || acted.value;
  const button = ({ text, run, kind }: Action) => (
    // Another button for another action: a key that is held down must not press what has replaced it.
    <button
      key={text}
      type="button"
      class={`button ${kind ?? ''}`}
      aria-disabled={rests}
      onClick={(event: MouseEvent) => {
        if (rests) return;
        // By keyboard there is no second click.
        acted.value = event.detail > 0;
        run();
      }}
    >
      {text}
    </button>
  );
  const [first, second] = mainActions(pet, order, tidyName(note.value));
  return (
    <div ref={root} class="panel-actions" onPointerLeave={() => (acted.value = false)}>
      {status === 'available' && may('store:write') ? (
        <input
          class="input"
          aria-label="Note for the order, optional"
          placeholder="Note, such as: for Ms Lee, Friday"
          autocomplete="off"
          dir="auto"
          maxLength={1000}
          value={note.value}
          onInput={(event: Event) => (note.value = (event.target as HTMLInputElement).value)}
        />
      ) : null}
      {first ? (
        <div class="pair">
          {button(first)}
          {second ? button(second) : null}
        </div>
      ) : null}
      {status === 'pending' && !order && history.value.of === pet.id && may('pets:write') ? (
        <p class="hint">It was marked as reserved without an order. Edit it to change its status.</p>
      ) : null}
      {status === 'removed' || !may('pets:write') ? null : (
        <div class="pair">
          {button({ text: 'Edit', run: () => void startEditing(pet), kind: 'plain' })}
          {order ? (
            <span class="hint">Remove: once its order is closed</span>
          ) : (
            button({ text: 'Remove', run: () => void remove(pet), kind: 'plain' })
          )}
        </div>
      )}
      {may('pets:write') && may('store:write') ? null : <p class="hint">{notAllowed()}</p>}
    </div>
  );
}

/** A calm explanation in place of a refusal. */
function notAllowed(): string {
  const missing = (['store:write', 'pets:write'] as const).filter((scope) => !may(scope));
  const words = missing.map((scope) => scopeWords[scope].toLowerCase());
  return `Your key does not allow you to ${words.join(', or to ')}.`;
}

function mainActions(pet: Pet, order: Order | undefined, note: string): readonly Action[] {
  const status = shownStatus(pet);
  if (!may(status === 'removed' ? 'pets:write' : 'store:write')) return [];
  if (status === 'removed') return [{ text: 'Restore', run: () => void restore(pet), kind: 'main' }];
  if (status === 'available')
    return [
      { text: 'Sell now', run: () => void sell(pet, note || undefined), kind: 'main' },
      { text: 'Reserve', run: () => void reserve(pet, note || undefined) },
    ];
  if (status === 'pending' && order)
    return [
      { text: 'Complete', run: () => void complete(order), kind: 'main' },
      { text: 'Cancel reservation', run: () => void cancel(order) },
    ];
  const sale = status === 'sold' ? saleOf(pet) : undefined;
  return sale ? [{ text: 'Take back', run: () => void returnSale(sale) }] : [];
}

/** The order by which an animal was sold; undefined for one that was marked as sold by hand. */
function saleOf({ id }: Pet): Order | undefined {
  const { of, orders } = history.value;
  return of === id ? orders.find(({ status }) => status === 'completed') : undefined;
}
