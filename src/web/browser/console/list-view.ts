import type { ComponentChildren } from 'preact';
import { type Element, h } from '../shared/element.ts';
import { reportTrouble, trouble } from './connection.ts';
import type { ShownList } from './list.ts';
import { refreshNow } from './refresh.ts';
import { troubleText } from './wording.ts';

const SKELETON_ROWS = 6;

interface Column {
  readonly title: string;
  readonly class: string;
}

interface ListViewProps<T extends { readonly id: bigint }> {
  readonly list: ShownList<T>;
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly row: (item: T) => readonly ComponentChildren[];
  readonly empty: Element;
}

/** A list in each of its states: loading, failed, empty, filled. The roles keep it a table where the style does not. */
export function ListView<T extends { readonly id: bigint }>(props: ListViewProps<T>): Element {
  const { list, caption, columns, row, empty } = props;
  const items = list.items.value;
  if (!items && trouble.value) return h(LoadFailed, {});
  if (items?.length === 0 && !list.loading.value) return empty;
  const cells = (values: readonly ComponentChildren[]) =>
    values.map((value, index) => h('td', { role: 'cell', class: columns[index]?.class }, value));
  return h(
    'div',
    { class: 'list', 'aria-busy': !items || list.loading.value },
    h(
      'table',
      { role: 'table', class: `table ${list.loading.value ? 'stale' : ''}` },
      h('caption', { class: 'visually-hidden' }, caption),
      h(
        'thead',
        { role: 'rowgroup' },
        h(
          'tr',
          { role: 'row' },
          columns.map((column) =>
            h('th', { role: 'columnheader', scope: 'col', class: column.class }, column.title),
          ),
        ),
      ),
      h(
        'tbody',
        { role: 'rowgroup' },
        items
          ? items.map((item) =>
              h(
                'tr',
                {
                  role: 'row',
                  key: `${item.id}`,
                  id: rowId(item.id),
                  tabIndex: -1,
                  class: list.added.value.has(item.id) ? 'added' : '',
                },
                cells(row(item)),
              ),
            )
          : Array.from({ length: SKELETON_ROWS }, (_, index) =>
              h(
                'tr',
                { role: 'row', key: `skeleton-${index}`, class: 'skeleton-row' },
                cells(columns.map(() => h('span', { class: 'skeleton' }, '…'))),
              ),
            ),
      ),
    ),
    items ? null : h('p', { class: 'visually-hidden', role: 'status' }, 'Loading…'),
    h(ListEnd<T>, { list }),
  );
}

const rowId = (id: bigint) => `row-${id}`;

/** The control that had the focus is gone after an action: its row gets it, so that the keyboard stays where it was. */
export function focusRow(id: bigint): void {
  requestAnimationFrame(() => {
    if (document.activeElement && document.activeElement !== document.body) return;
    (document.getElementById(rowId(id)) ?? document.getElementById('view-title'))?.focus();
  });
}

function ListEnd<T extends { readonly id: bigint }>({
  list,
}: {
  readonly list: ShownList<T>;
}): Element | null {
  const shown = list.items.value?.length;
  if (shown === undefined) return null;
  const more = () => list.more().catch(reportTrouble);
  return h(
    'div',
    { class: 'list-end' },
    list.next.value === undefined
      ? h('p', { class: 'help' }, `Showing all ${shown}.`)
      : h(
          'button',
          { type: 'button', class: 'button', onClick: more },
          list.loadingMore.value ? 'Loading…' : 'Show more',
        ),
  );
}

function LoadFailed(): Element {
  const kind = trouble.value?.kind ?? 'failed';
  return h(
    'div',
    { class: 'empty' },
    h('h2', null, troubleText[kind]),
    h('p', null, 'The list appears here as soon as it can be loaded.'),
    h('button', { type: 'button', class: 'button', onClick: refreshNow }, 'Try again'),
  );
}
