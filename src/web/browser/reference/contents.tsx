import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { methodMark } from './marks.tsx';

interface Item {
  readonly id: string;
  readonly title: string;
  readonly method?: string;
  readonly isOver?: boolean | undefined;
}

export interface Group {
  readonly name: string;
  readonly items: readonly Item[];
}

interface ContentsProps {
  readonly groups: readonly Group[];
  /** The id of the section that is being read. */
  readonly current: string | undefined;
  readonly close: () => void;
}

export function Contents({ groups, current, close }: ContentsProps): JSX.Element {
  const root = useRef<HTMLElement>(null);
  useEffect(() => {
    const item = root.current?.querySelector<HTMLElement>('[aria-current]');
    if (root.current && item) showWithin(root.current, item);
  }, [current]);
  return (
    <nav class="contents" aria-label="Contents" ref={root}>
      {groups.map(({ name, items }) => (
        <div key={name}>
          <p class="contents-group">{name}</p>
          <ul>
            {items.map(({ id, title, method, isOver }) => (
              <li key={id}>
                <a href={`#${id}`} aria-current={current === id ? 'location' : undefined} onClick={close}>
                  <span class={isOver ? 'struck' : ''}>{title}</span>
                  {method ? methodMark(method) : null}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** How much of the list is shown before and after the item. */
const AROUND = 64;

/** Unlike scrollIntoView, it never moves the page, which may be scrolling. */
function showWithin(list: HTMLElement, item: HTMLElement): void {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  const above = inner.top - AROUND - outer.top;
  const below = inner.bottom + AROUND - outer.bottom;
  if (above < 0) list.scrollTop += above;
  else if (below > 0) list.scrollTop += below;
}
