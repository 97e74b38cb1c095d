import { signal } from '@preact/signals';
import type { BulkAction } from '../data/actions/selection.ts';
import { isOffline, may, shop } from '../session.ts';

/** On a phone, selecting is a mode of the list. */
export const isChoosing = signal(false);
/** What the bar asks for before it does something with the selected animals. */
export const asking = signal<'move' | 'remove' | undefined>(undefined);

/** Whether the bar of what is selected is in the place of the other one. It stays while what has been done can be undone. */
export function isSelecting(): boolean {
  const { selection, outcomes } = shop();
  const isOpen = isChoosing.value || selection.ids.value.size > 0;
  return isOpen || selection.progress.value !== undefined || outcomes.at('selection')?.offer !== undefined;
}

/** Whether there is something to do with selected animals. */
export const maySelect = (): boolean => may('store:write') || may('pets:write');

/** What is offered for the selected animals now. */
export function offered(): readonly ('sell' | 'move' | 'remove')[] {
  const { selection, categories } = shop();
  if (isOffline() || selection.progress.value || selection.ids.value.size === 0) return [];
  return [
    ...(may('store:write') ? (['sell'] as const) : []),
    ...(may('pets:write') && categories.all.value.length > 0 ? (['move'] as const) : []),
    ...(may('pets:write') ? (['remove'] as const) : []),
  ];
}

export function runSeveral(what: BulkAction): void {
  const bar = document.querySelector<HTMLElement>('.selection');
  // What was pressed is about to go: the keyboard goes on from the bar.
  if (bar?.contains(document.activeElement)) bar.focus({ preventScroll: true });
  asking.value = undefined;
  void shop().selection.run(what);
}

/** Ticks a row or takes the tick away; with `extend`, ticks all rows from the last one that was ticked. */
export function pick(id: bigint, extend: boolean): void {
  const { selection, animalList, outcomes } = shop();
  if (selection.progress.peek()) return;
  outcomes.dismiss('selection');
  if (extend) selection.extendTo(id, animalList.ids.peek() ?? []);
  else selection.toggle(id);
}

/** Ticks every row, or none if all of them are ticked. */
export function pickAll(): void {
  const { selection, animalList, outcomes } = shop();
  const rows = animalList.ids.peek() ?? [];
  if (selection.progress.peek()) return;
  outcomes.dismiss('selection');
  if (rows.every((id) => selection.ids.peek().has(id))) selection.clear();
  else selection.selectAll(rows);
}

export function stopSelecting(): void {
  const { selection, outcomes } = shop();
  if (selection.progress.peek()) return;
  endChoosing();
  forgetQuestion();
  selection.clear();
  outcomes.dismiss('selection');
}

/** Leaving the animals ends the mode. */
export function endChoosing(): void {
  isChoosing.value = false;
}

/** What was asked is about rows that are not on the page any more. */
export function forgetQuestion(): void {
  asking.value = undefined;
}
