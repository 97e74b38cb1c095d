import { signal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { route } from '../address.ts';
import type { Animal } from '../data/cache/animal.ts';
import { shop } from '../session.ts';
import { runAction } from './row-actions.ts';
import { asking, isSelecting, maySelect, offered, pick, runSeveral, stopSelecting } from './selecting.ts';

const FIELDS = 'input:not([type=checkbox]), textarea, select';

/** The text of a search whose first row is to have the focus as soon as it has been found. */
const awaited = signal<string | undefined>(undefined);

/**
 * The list by keyboard: arrows, or J and K, move through the rows; S sells, R reserves, X or the space bar ticks, U undoes. While rows are
 * ticked, S, M and Escape are about those. From the search field, the arrow down and Enter lead to the first row that was found.
 */
export function useRowKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', pressed);
    document.addEventListener('input', forget);
    return () => {
      document.removeEventListener('keydown', pressed);
      document.removeEventListener('input', forget);
      forget();
    };
  }, []);
  useSignalEffect(() => {
    const text = awaited.value;
    if (text === undefined || !isFound(text)) return;
    forget();
    // Once the rows are on the page.
    requestAnimationFrame(() => {
      if (document.activeElement?.id === 'search') rows()[0]?.focus();
    });
  });
}

/** Whether the rows are those of a search. */
function isFound(text: string): boolean {
  const { loading, ids } = shop().animalList;
  return 'text' in route.value && route.value.text === text && !loading.value && ids.value !== undefined;
}

/** Typing on cancels the wait. */
const forget = (): void => {
  awaited.value = undefined;
};

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.list .row-name')];

function pressed(event: KeyboardEvent): void {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
  const handled =
    key === 'Escape'
      ? leaveSelection(target)
      : target.id === 'search'
        ? enterList(target as HTMLInputElement, key)
        : !target.matches(FIELDS) && inList(event, target);
  if (handled) event.preventDefault();
}

/** Escape takes back the last step: the question in the bar, then the selection. The panel and the form are closed first. */
function leaveSelection(target: HTMLElement): boolean {
  const isCovered = route.peek().animal !== undefined || shop().addForm.isOpen.peek();
  if (isCovered || target.id === 'search' || !isSelecting()) return false;
  const bar = target.closest('.selection');
  if (asking.peek()) asking.value = undefined;
  else stopSelecting();
  if (bar) rows()[0]?.focus({ preventScroll: true });
  return true;
}

/** The search is done now, and not after the pause that follows the last letter. Enter does so by itself. */
function enterList(search: HTMLInputElement, key: string): boolean {
  if (key !== 'ArrowDown' && key !== 'Enter') return false;
  const text = search.value.trim();
  // What was found already can be entered at once: the next key may follow fast.
  if (isFound(text)) return focus(rows()[0]);
  awaited.value = text;
  if (key === 'ArrowDown') search.form?.requestSubmit();
  return key === 'ArrowDown';
}

function inList(event: KeyboardEvent, target: HTMLElement): boolean {
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (['s', 'm'].includes(letter) && offered().length > 0) return withSelected(letter, target);
  const row = target.closest('.row')?.querySelector<HTMLElement>('.row-name[data-id]');
  const animal = row?.dataset.id && shop().cache.animals.peek(BigInt(row.dataset.id));
  if (row && animal) return withRow(letter, event.shiftKey, row, animal);
  if (letter === 'j' && (target === document.body || target.id === 'view-title')) return focus(rows()[0]);
  return false;
}

function withSelected(letter: string, target: HTMLElement): boolean {
  if (!target.closest('.list') && target !== document.body) return false;
  const may = offered();
  if (letter === 's' && may.includes('sell')) runSeveral({ kind: 'sell' });
  if (letter === 'm' && may.includes('move')) asking.value = 'move';
  return true;
}

function withRow(key: string, shift: boolean, row: HTMLElement, animal: Animal): boolean {
  const all = rows();
  const at = all.indexOf(row);
  const isLink = document.activeElement === row;
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return focus(all[at + 1]);
    case 'ArrowUp':
    case 'k':
      return focus(all[at - 1]);
    case 's':
    case 'r':
      if (!isSelecting()) runAction(key === 's' ? 'sell' : 'reserve', animal);
      return true;
    case 'u':
      undo(animal.id);
      return true;
    case ' ':
    case 'x':
      if ((key === ' ' && !isLink) || !maySelect()) return false;
      pick(animal.id, shift);
      return true;
    default:
      return false;
  }
}

/** Only what is offered as Undo: trying again is another decision. */
function undo(id: bigint): void {
  const offer = shop().outcomes.at(`animal-${id}`)?.offer;
  if (offer?.label === 'Undo') void offer.run();
}

function focus(row: HTMLElement | undefined): boolean {
  row?.focus();
  return row !== undefined;
}
