import { computed, signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { icon } from '../../shared/icons.tsx';
import { type AnimalAction, move, remove, reserve, restore, sell } from '../data/actions.ts';
import { idOf, problemsWith, wantedCategory } from '../data/forms.ts';
import { actOnSeveral } from '../data/several.ts';
import { counted, short } from '../data/text.ts';
import { focusTitle } from '../navigation.ts';
import { Question } from '../parts/dialog.tsx';
import { CategoryField } from '../parts/form.tsx';
import { route } from '../route.ts';
import { isOffline, may, sessions, shop } from '../session.ts';
import { RemoveDialog } from './remove.tsx';

const ticked = signal<ReadonlySet<bigint>>(new Set());
/** The row that was ticked last, where a range with Shift begins. */
let anchor: bigint | undefined;

/** The ticked rows that are on the page: nothing is done with an animal that nobody sees. */
const shown = computed<ReadonlySet<bigint>>(() => {
  const ids = sessions.current.value?.animalList.ids.value;
  return ticked.value.size === 0 ? ticked.value : ticked.value.intersection(new Set(ids));
});

export const tickedIds = (): ReadonlySet<bigint> => shown.value;
export const isTicked = (id: bigint): boolean => shown.value.has(id);

export function stopSelecting(): void {
  ticked.value = new Set();
  anchor = undefined;
}

/** Ticks a row or not; with Shift, every row from the one that was ticked last, in the order of the rows. */
function tick(id: bigint, isRange: boolean): void {
  const rows = shop().animalList.ids.peek() ?? [];
  const [from, to] = [anchor === undefined ? -1 : rows.indexOf(anchor), rows.indexOf(id)];
  const ids = new Set(shown.peek());
  if (isRange && from >= 0)
    for (const one of rows.slice(Math.min(from, to), Math.max(from, to) + 1)) ids.add(one);
  else {
    anchor = id;
    if (!ids.delete(id)) ids.add(id);
  }
  ticked.value = ids;
}

/** Whether the key allows any action on ticked animals. */
const maySelect = (): boolean => may('pets:write') || may('store:write');

export function Tick({
  id,
  isTicked: isOn,
}: {
  readonly id: bigint;
  readonly isTicked: boolean;
}): JSX.Element {
  if (!maySelect()) return <span class="tick-place" />;
  const name = shop().cache.animals.get(id)?.name ?? `${id}`;
  return (
    <input
      class="tick"
      type="checkbox"
      aria-label={`Select ${short(name)}`}
      checked={isOn}
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={({ currentTarget, shiftKey }) => {
        tick(id, shiftKey);
        // With Shift a ticked row stays ticked, whatever the browser has made of the click.
        currentTarget.checked = shown.peek().has(id);
      }}
    />
  );
}

/** The actions on the ticked animals. The bar takes exactly the place of the toolbar. */
export function SelectionBar(): JSX.Element {
  const asked = useSignal<'move' | 'remove' | undefined>(undefined);
  const bar = useRef<HTMLDivElement>(null);
  // When the bar disappears, the title gets the focus.
  useLayoutEffect(
    () => () => {
      if (bar.current?.contains(document.activeElement)) focusTitle();
    },
    [],
  );
  const { animalList, running, cache } = shop();
  const ids = tickedIds();
  const rows = animalList.ids.value ?? [];
  const progress = running.at('selection');
  const isResting = isOffline() || progress !== undefined;
  const isRemoved = route.value.view === 'animals' && route.value.tab === 'removed';
  const run = async (action: AnimalAction, doing: string, past: string, what: string) => {
    if (isResting) return;
    const animals = [...shown.peek()].map((id) => cache.animals.peek(id)).filter((one) => one !== undefined);
    const done = await actOnSeveral(shop(), animals, action, { running: doing, past, what });
    // What has failed stays ticked.
    ticked.value = ticked.peek().difference(new Set(done));
  };
  const button = (label: string, look: string, onClick: () => void) => (
    <button
      type="button"
      class={`button ${look}`}
      aria-disabled={isResting}
      onClick={() => !isResting && onClick()}
    >
      {label}
    </button>
  );
  return (
    <div ref={bar} class="bar selection" role="toolbar" aria-label="Selected animals">
      <input
        class="tick"
        type="checkbox"
        aria-label="Select all rows"
        checked={ids.size === rows.length}
        indeterminate={ids.size < rows.length}
        onClick={() => (ticked.value = new Set(ids.size === rows.length ? [] : rows))}
      />
      <b role="status">{progress ?? `${ids.size} selected`}</b>
      {isRemoved
        ? button('Restore', 'main', () => void run(restore, 'Restoring', 'were restored', 'the restoring'))
        : null}
      {!isRemoved && may('store:write') ? (
        <>
          {button('Sell', 'main', () => void run(sell, 'Selling', 'were sold', 'the sale'))}
          {button('Reserve', '', () => void run(reserve, 'Reserving', 'were reserved', 'the reservation'))}
        </>
      ) : null}
      {!isRemoved && may('pets:write') ? (
        <>
          {button('Move to…', '', () => (asked.value = 'move'))}
          {button('Remove', '', () => (asked.value = 'remove'))}
        </>
      ) : null}
      <button type="button" class="button plain end" aria-label="Select none" onClick={stopSelecting}>
        {icon('close')}
      </button>
      {asked.value === 'move' ? (
        <MoveDialog
          number={ids.size}
          onMove={(categoryId) => void run(move(categoryId), 'Moving', 'were moved', 'the move')}
          onClose={() => (asked.value = undefined)}
        />
      ) : null}
      {asked.value === 'remove' ? (
        <RemoveDialog
          title={`Remove ${counted(ids.size, 'animal', 'animals')}?`}
          about="They can be restored from the tab Removed."
          onRemove={(reason) => void run(remove(reason), 'Removing', 'were removed', 'the removal')}
          onClose={() => (asked.value = undefined)}
        />
      ) : null}
    </div>
  );
}

interface MoveDialogProps {
  readonly number: number;
  readonly onMove: (categoryId: bigint) => void;
  readonly onClose: () => void;
}

/** Asks for the category to move to. A name that no category has is a new one. */
function MoveDialog({ number, onMove, onClose }: MoveDialogProps): JSX.Element {
  const text = useSignal('');
  const problem = useSignal<string | undefined>(undefined);
  const submit = async () => {
    const wanted = wantedCategory(shop().categories, text.peek());
    problem.value = problemsWith({ name: 'any', category: text.peek() }, wanted).category;
    if (problem.peek() !== undefined) return;
    try {
      const id = await idOf(shop(), wanted);
      onClose();
      onMove(id);
    } catch (error) {
      problem.value = error instanceof Error ? error.message : undefined;
    }
  };
  return (
    <Question
      title={`Move ${counted(number, 'animal', 'animals')}`}
      label="Move"
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <CategoryField
        isFirst
        value={text.value}
        problem={problem.value}
        onValue={(value) => {
          text.value = value;
          problem.value = undefined;
        }}
      />
    </Question>
  );
}
