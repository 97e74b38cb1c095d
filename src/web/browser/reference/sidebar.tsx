import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { icon, logo } from '../shared/icons.tsx';
import { useSearchKey } from '../shared/search-key.ts';
import { isStagingHere } from '../shared/service.ts';
import { filtered, type Group, type Item } from './contents.ts';

/** The contents, and above them a field that filters them. `/` leads to it, Enter to the first match, Esc clears it. */
export function Sidebar({ groups }: { readonly groups: readonly Group[] }): JSX.Element {
  const query = useSignal('');
  const root = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const current = useCurrentSection(groups);
  useSearchKey(input);
  useEffect(() => {
    const item = root.current?.querySelector<HTMLElement>('[aria-current]');
    if (root.current && item) showWithin(root.current, item);
  }, [current]);
  const shown = filtered(groups, query.value.trim());
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      if (query.peek() === '') input.current?.blur();
      query.value = '';
    }
    const [first] = filtered(groups, query.peek().trim()).flatMap(({ items }) => items);
    if (event.key !== 'Enter' || query.peek().trim() === '' || !first) return;
    input.current?.blur();
    location.hash = first.id;
  };
  return (
    <nav class="toc" aria-label="Contents" ref={root}>
      <div class="toc-head">
        <a class="brand" href="./">
          {logo()}
          <span>Animal Store</span>
          {isStagingHere ? <span class="mark">Staging</span> : null}
        </a>
        <label class="search">
          {icon('search')}
          <input
            ref={input}
            type="search"
            aria-label="Filter the contents"
            aria-keyshortcuts="/"
            placeholder="Filter"
            autocomplete="off"
            spellcheck={false}
            value={query.value}
            onKeyDown={pressed}
            onInput={(event: Event) => (query.value = (event.target as HTMLInputElement).value)}
          />
        </label>
        <p role="status">{shown.length === 0 ? 'Nothing found. Try another word.' : null}</p>
      </div>
      {shown.map(({ name, items }) => (
        <div key={name}>
          <p class="toc-group quiet">{name}</p>
          <ul aria-label={name}>
            {items.map((item) => (
              <li key={item.id}>{link(item, current)}</li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

const link = ({ id, title, method, isOver }: Item, current: string | undefined): JSX.Element => (
  <a href={`#${id}`} aria-current={current === id ? 'location' : undefined}>
    {isOver ? <s class="quiet">{title}</s> : <span>{title}</span>}
    {method === undefined ? null : <span class="method quiet">{method}</span>}
  </a>
);

/** The id of the section at the top of the window. */
function useCurrentSection(groups: readonly Group[]): string | undefined {
  const current = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const look = () => {
      const passed = groups
        .flatMap(({ items }) => items)
        .filter(({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < 160);
      current.value = passed.at(-1)?.id;
    };
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, [groups]);
  return current.value;
}

/** How much of the list is shown before an item, which the filter field covers in part, and after it. */
const BEFORE = 160;
const AFTER = 64;

/** Unlike scrollIntoView, it never moves the page, which may be scrolling. */
function showWithin(list: HTMLElement, item: HTMLElement): void {
  const [outer, inner] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
  const above = inner.top - BEFORE - outer.top;
  const below = inner.bottom + AFTER - outer.bottom;
  if (above < 0) list.scrollTop += above;
  else if (below > 0) list.scrollTop += below;
}
