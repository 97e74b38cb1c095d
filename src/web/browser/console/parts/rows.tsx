import { signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const GROUP = 20;
/** Up to here all rows are on the page, where the browser's own search finds them. */
const WINDOWED_FROM = 500;
/** Rows are there before one has scrolled to them. */
const MARGIN = '600px 0px';

interface RowsProps<T> {
  readonly items: readonly T[];
  readonly row: (item: T) => JSX.Element;
  /** How many rows the whole list has, of which these may be a part. */
  readonly total?: number;
  /** The height of a row, in CSS. */
  readonly height?: string;
}

/**
 * The rows of a list, in groups. Of a long list only the groups near the screen have rows; the others are as high as their rows would be, so
 * that nothing moves and ten thousand rows cost as much as a few hundred. `content-visibility: auto` alone would keep every row on the page,
 * in memory and in every comparison (decision 8).
 */
export function Rows<T>({
  items,
  row,
  total = items.length,
  height = 'var(--row)',
}: RowsProps<T>): JSX.Element {
  const groups = Array.from({ length: Math.ceil(items.length / GROUP) }, (_, index) =>
    items.slice(index * GROUP, (index + 1) * GROUP),
  );
  return (
    <>
      {groups.map((group, index) => (
        <Group key={index} items={group} row={row} isWindowed={total > WINDOWED_FROM} height={height} />
      ))}
    </>
  );
}

interface GroupProps<T> extends Required<Omit<RowsProps<T>, 'total'>> {
  readonly isWindowed: boolean;
}

function Group<T>({ items, row, isWindowed, height }: GroupProps<T>): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const isNear = useSignal(!isWindowed);
  /** As high as it was with its rows, whatever the size of the font. */
  const measured = useRef<string>(undefined);
  useEffect(() => {
    const { current } = list;
    if (!isWindowed || !current) {
      isNear.value = true;
      return undefined;
    }
    return observe(current, (near) => {
      if (!near && isNear.peek()) measured.current = `${current.offsetHeight}px`;
      // The keyboard is never in a row that is gone.
      isNear.value = near || current.contains(document.activeElement);
    });
  }, [isWindowed]);
  const isShown = isNear.value || isPrinted.value;
  const away = { height: measured.current ?? `calc(${items.length} * ${height})` };
  return (
    <ul ref={list} class="rows" {...(isShown ? {} : { style: away })}>
      {isShown ? items.map(row) : null}
    </ul>
  );
}

/** On paper every row is there, unless a table is printed in place of the list. */
const isPrinted = signal(false);
addEventListener('beforeprint', () => (isPrinted.value = document.querySelector('.paper') === null));
addEventListener('afterprint', () => (isPrinted.value = false));

const watched = new WeakMap<Element, (isNear: boolean) => void>();
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) watched.get(target)?.(isIntersecting);
  },
  { rootMargin: MARGIN },
);

function observe(element: Element, changed: (isNear: boolean) => void): () => void {
  watched.set(element, changed);
  observer.observe(element);
  return () => observer.unobserve(element);
}
