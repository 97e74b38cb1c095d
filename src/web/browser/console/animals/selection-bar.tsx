import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { shownStatus } from '../data/cache/animal.ts';
import { OfferButton, outcomeText } from '../parts/row-state.tsx';
import { count, statusWord } from '../parts/wording.ts';
import { shop } from '../session.ts';
import { asking, isSelecting, offered, pickAll, runSeveral, stopSelecting } from './selecting.ts';
import { SelectionQuestion } from './selection-question.tsx';

/** What can be done with the selected animals. It takes the place of tabs and filters, to the pixel. */
export function SelectionBar(): JSX.Element | null {
  if (!isSelecting()) return null;
  return (
    <div class="selection" role="group" aria-label="Selected animals" tabIndex={-1}>
      <PickAll />
      <Summary />
      {asking.value && offered().includes(asking.value) ? (
        <SelectionQuestion key={asking.value} kind={asking.value} />
      ) : (
        <Buttons />
      )}
    </div>
  );
}

function PickAll(): JSX.Element {
  const { selection, animalList } = shop();
  const rows = animalList.ids.value ?? [];
  const picked = selection.ids.value.size;
  const isAll = picked > 0 && rows.every((id) => selection.has(id));
  return (
    <input
      class="pick"
      type="checkbox"
      aria-label={`Select all ${count(rows.length)} shown`}
      checked={isAll}
      indeterminate={picked > 0 && !isAll}
      onClick={pickAll}
    />
  );
}

/** How many are selected, how far an action is, or how it went. */
function Summary(): JSX.Element {
  const { selection, outcomes } = shop();
  const progress = selection.progress.value;
  const outcome = outcomes.at('selection');
  if (progress)
    return (
      <>
        {icon('spin')}
        <b>{`${count(progress.done)} of ${count(progress.of)}…`}</b>
      </>
    );
  if (outcome)
    return (
      <>
        <b class={outcome.kind === 'failed' ? 'failed' : ''}>{outcomeText(outcome)}</b>
        {outcome.offer ? <OfferButton offer={outcome.offer} /> : null}
      </>
    );
  return (
    <>
      <b>{`${count(selection.ids.value.size)} selected`}</b>
      <span class="what cut">{statuses()}</span>
    </>
  );
}

/** `2 available, 1 reserved` */
function statuses(): string {
  const counts = Map.groupBy(shop().selection.animals.value, shownStatus);
  return (['available', 'pending', 'sold', 'removed'] as const)
    .map((status) => [counts.get(status)?.length ?? 0, statusWord(status).toLowerCase()] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${count(number)} ${word}`)
    .join(', ');
}

function Buttons(): JSX.Element {
  const may = offered();
  const clear = () => {
    focusFirstPicked();
    stopSelecting();
  };
  return (
    <>
      {may.includes('sell') ? (
        <button type="button" class="button main small" onClick={() => runSeveral({ kind: 'sell' })}>
          Sell
        </button>
      ) : null}
      {may.includes('move') ? (
        <button type="button" class="button small" onClick={() => (asking.value = 'move')}>
          Move to…
        </button>
      ) : null}
      {may.includes('remove') ? (
        <button type="button" class="button small" onClick={() => (asking.value = 'remove')}>
          Remove
        </button>
      ) : null}
      {shop().selection.progress.value ? null : (
        <button type="button" class="button plain small clear" onClick={clear}>
          Clear <kbd>Esc</kbd>
        </button>
      )}
    </>
  );
}

/** The bar is about to go: the keyboard goes on from what was selected. */
function focusFirstPicked(): void {
  const row = document.querySelector<HTMLElement>('.row.picked .row-name');
  (row ?? document.getElementById('view-title'))?.focus({ preventScroll: true });
}
