import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type Animal, shownStatus } from '../../data/cache/animal.ts';
import { scopeWords } from '../../parts/scopes.ts';
import { REMOVED, routeHref } from '../../route.ts';
import { isOffline, may, shop } from '../../session.ts';
import { mainActions, type PanelAction } from './main-actions.ts';
import { orderOf } from './order-of.ts';

interface PanelActionsProps {
  readonly animal: Animal;
  /** Something else in the panel has the main button. */
  readonly isSecondary: boolean;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

/** What one can do with the animal in the panel: the main thing first. */
export function PanelActions({ animal, isSecondary, onEdit, onRemove }: PanelActionsProps): JSX.Element {
  // Other buttons come to the same place: they do nothing until the pointer leaves it, so that a second click does no harm.
  const isClicked = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  const status = shownStatus(animal);
  useFocusAfter(status, root);
  const isDisabled = () => isClicked.value || isOffline() || shop().outcomes.isBusy(`animal-${animal.id}`);
  const button = (action: PanelAction, kind: string) => (
    // Another button for another action: a key that is held down must not press what has replaced it.
    <button
      key={action.text}
      type="button"
      class={`button ${kind}`}
      aria-label={action.description}
      aria-disabled={isDisabled() || action.isDisabled}
      onClick={(event: MouseEvent) => {
        if (isDisabled() || action.isDisabled) return;
        // A finger and the keyboard never leave.
        isClicked.value = (event as PointerEvent).pointerType === 'mouse';
        action.run();
      }}
    >
      {action.text}
    </button>
  );
  const main = mainActions(animal);
  return (
    <div ref={root} class="panel-actions" onPointerLeave={() => (isClicked.value = false)}>
      {main.length > 0 ? (
        <div class="pair">
          {main.map((action) => button(action, action.isMain && !isSecondary ? 'main' : ''))}
        </div>
      ) : null}
      <ActionHint animal={animal} />
      {status === 'removed' || !may('pets:write') ? null : (
        <div class="quiet-pair">
          {button({ text: shop().hasEdit(animal.id) ? 'Continue editing' : 'Edit', run: onEdit }, 'plain')}
          {orderOf(animal)?.status === 'placed' ? (
            <span class="off">Remove: cancel the reservation first</span>
          ) : (
            button({ text: 'Remove', run: onRemove }, 'plain')
          )}
        </div>
      )}
      {may('pets:write') && may('store:write') ? null : <p class="hint">{notAllowed()}</p>}
    </div>
  );
}

/** A button that was pressed may be gone: the keyboard stays in the panel. */
function useFocusAfter(status: string, { current }: { readonly current: HTMLElement | null }): void {
  const before = useRef(status);
  useEffect(() => {
    if (before.current === status) return;
    before.current = status;
    if (document.activeElement === document.body)
      current?.closest<HTMLElement>('.panel')?.focus({ preventScroll: true });
  }, [status]);
}

/** What the button does, where its words do not say all of it. */
function ActionHint({ animal }: { readonly animal: Animal }): JSX.Element | null {
  if (animal.removed) {
    const isJustNow = shop().outcomes.at(`animal-${animal.id}`)?.offer?.label === 'Undo';
    const link = <a href={routeHref(REMOVED)}>Removed animals</a>;
    return <p class="hint">{isJustNow ? <>Later: Restore, in {link}.</> : <>It is among the {link}.</>}</p>;
  }
  if (animal.status !== 'sold' || !orderOf(animal) || !may('store:write')) return null;
  return (
    <p class="hint">
      Returns the order; <bdi>{animal.name}</bdi> is available again.
    </p>
  );
}

/** A calm explanation in place of a refusal. */
function notAllowed(): string {
  const missing = (['store:write', 'pets:write'] as const).filter((scope) => !may(scope));
  const words = missing.map((scope) => scopeWords[scope].toLowerCase());
  return `Your key does not allow you to ${words.join(', or to ')}.`;
}
