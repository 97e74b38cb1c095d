import { signal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Order } from '../../../client/index.ts';
import type { Animal } from './data/cache.ts';
import { leaveDraft } from './parts/panel.tsx';
import { actionsOf, perform } from './parts/row.tsx';
import { ANIMALS, route, routeHref } from './route.ts';
import { may, mayOpen, openAddForm, sessions, shop } from './session.ts';

const FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select';

/** The text of a search whose first row is to have the focus as soon as it has been found. */
const awaited = signal<string | undefined>(undefined);

/**
 * The keyboard shortcuts: `/` leads to the search from any page, N adds, arrows move through the rows, Enter opens one. S, R and U work
 * only while a row or the panel has the focus, so that a letter typed elsewhere does nothing.
 */
export function useKeys(): void {
  useEffect(() => {
    document.addEventListener('keydown', pressed);
    return () => {
      document.removeEventListener('keydown', pressed);
      forget();
    };
  }, []);
  useSignalEffect(() => {
    const text = awaited.value;
    if (text === undefined || !isFound(text)) return;
    forget();
    // After the rows are drawn, and only if the person has not moved the focus.
    requestAnimationFrame(() => {
      if (document.activeElement?.id === 'view-title') rows()[0]?.focus();
    });
  });
}

/** Whether the rows are the result of searching for this text. */
function isFound(text: string): boolean {
  const { loading, ids } = shop().animalList;
  return 'text' in route.value && route.value.text === text && !loading.value && ids.value !== undefined;
}

const forget = (): void => {
  awaited.value = undefined;
};

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('.page .row a.name')];

function pressed(event: KeyboardEvent): void {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
  const letter = key.length === 1 ? key.toLowerCase() : key;
  const isHandled =
    target.id === 'search'
      ? inSearch(target as HTMLInputElement, letter)
      : !target.matches(FIELDS) && (inRow(target, letter) || inPanel(target, letter) || anywhere(letter));
  if (isHandled) event.preventDefault();
}

/**
 * Escape leaves the field, whatever is in it. The arrow down and Enter lead to the first row that was found; until it is there, the title has
 * the focus, so that the next letter lands neither in the field nor in a row of another search.
 */
function inSearch(search: HTMLInputElement, key: string): boolean {
  if (key === 'Escape') return leave();
  if (key !== 'ArrowDown' && key !== 'Enter') return false;
  search.form?.requestSubmit();
  const text = search.value.trim();
  if (isFound(text)) return focus(rows()[0]);
  leave();
  awaited.value = text;
  return true;
}

function leave(): boolean {
  document.getElementById('view-title')?.focus({ preventScroll: true });
  return true;
}

function inRow(target: HTMLElement, key: string): boolean {
  const link = target.closest('.page .row')?.querySelector<HTMLElement>('a.name');
  if (!link) return false;
  const all = rows();
  const at = all.indexOf(link);
  if (key === 'ArrowDown') return focus(all[at + 1]);
  if (key === 'ArrowUp') return focus(all[at - 1]);
  const { animal: id, order: orderId } = link.dataset;
  const animal = id === undefined ? undefined : shop().cache.animals.peek(BigInt(id));
  const order = orderId === undefined ? undefined : shop().cache.orders.peek(BigInt(orderId));
  return animal !== undefined && isVisible(link) && onAnimal(key, animal, order);
}

/** Whether the person sees the row: it is on the screen, and nothing lies over it. */
function isVisible(link: HTMLElement): boolean {
  const { left, top, height } = link.getBoundingClientRect();
  const seen = document.elementFromPoint(left + 4, top + height / 2);
  return seen !== null && link.closest('.row')?.contains(seen) === true;
}

function inPanel(target: HTMLElement, key: string): boolean {
  const id = route.peek().animal;
  const animal = id === undefined ? undefined : shop().cache.animals.peek(id);
  return target.closest('.panel') !== null && animal !== undefined && onAnimal(key, animal);
}

function onAnimal(key: string, animal: Animal, order?: Order): boolean {
  if (key === 'u') {
    shop().messages.undo();
    return true;
  }
  if (key !== 's' && key !== 'r') return false;
  const offered = actionsOf(animal, order).find((one) => one.key === key);
  if (offered) perform(offered);
  return offered !== undefined;
}

function anywhere(key: string): boolean {
  if (key === 'ArrowDown' && document.activeElement?.id === 'view-title') return focus(rows()[0]);
  if (key === '/' && mayOpen('animals') && !document.getElementById('search')) {
    leaveDraft(openSearch);
    return true;
  }
  if (key !== 'n' || !sessions.current.peek() || !may('pets:write')) return false;
  leaveDraft(openAddForm);
  return true;
}

/** The search field is on the page Animals. */
function openSearch(): void {
  const arrived = () => requestAnimationFrame(() => document.getElementById('search')?.focus());
  addEventListener('hashchange', arrived, { once: true });
  location.hash = routeHref(ANIMALS);
}

function focus(row: HTMLElement | undefined): boolean {
  row?.focus();
  return row !== undefined;
}
