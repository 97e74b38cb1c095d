import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { icon, logo } from '../shared/icons.tsx';
import { isStagingHere } from '../shared/service.ts';
import { Contents, type Group } from './contents.tsx';
import { useCurrentSection } from './current-section.ts';
import type { Entry, OpenApi } from './document.ts';
import type { Guide } from './guides/guides.ts';
import { capital } from './marks.tsx';
import { placesOf } from './places.ts';
import { SearchBox } from './search-box.tsx';

interface SidebarProps {
  readonly api: OpenApi;
  readonly entries: readonly Entry[];
  readonly guides: readonly Guide[];
}

/** The way around the page. On a phone it is a bar that says where one is, and opens the contents and the search. */
export function Sidebar({ api, entries, guides }: SidebarProps): JSX.Element {
  const groups = useMemo(() => contentsOf(api, entries, guides), [api]);
  const places = useMemo(() => placesOf(api, entries, guides), [api]);
  const current = useCurrentSection(groups.flatMap(({ items }) => items.map(({ id }) => id)));
  const input = useRef<HTMLInputElement>(null);
  const isOpen = useSignal(false);
  const close = () => (isOpen.value = false);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  const here = groups
    .flatMap(({ name, items }) => items.map((item) => ({ name, ...item })))
    .find(({ id }) => id === current);
  return (
    <header class={`sidebar ${isOpen.value ? 'open' : ''}`}>
      <div class="doc-bar">
        <button
          type="button"
          class="button plain square"
          aria-label="Contents"
          aria-expanded={isOpen.value}
          onClick={() => (isOpen.value = !isOpen.value)}
        >
          {icon(isOpen.value ? 'close' : 'more')}
        </button>
        <p class="here">
          <b class="cut">{here?.title ?? 'API reference'}</b>
          <span class="cut">{here?.name ?? 'Animal Store'}</span>
        </p>
        <button
          type="button"
          class="button plain square"
          aria-label="Search"
          onClick={() => input.current?.focus()}
        >
          {icon('search')}
        </button>
      </div>
      <div class="sidebar-head">
        <a class="brand" href="./">
          {logo()}
          <span>Animal Store</span>
          {isStagingHere ? <span class="badge staging">Staging</span> : null}
        </a>
        <SearchBox places={places} input={input} />
      </div>
      <Contents groups={groups} current={current} close={close} />
    </header>
  );
}

function contentsOf(api: OpenApi, entries: readonly Entry[], guides: readonly Guide[]): Group[] {
  const tagged = (api.tags ?? []).map(({ name }) => ({
    name: capital(name),
    items: entries
      .filter(({ operation }) => operation.tags?.includes(name))
      .map(({ method, operation: { operationId: id, summary, deprecated } }) => ({
        id,
        title: summary ?? id,
        method,
        isOver: deprecated,
      })),
  }));
  const schemas = Object.keys(api.components?.schemas ?? {});
  return [
    { name: 'Guides', items: guides },
    ...tagged,
    { name: 'Schemas', items: schemas.map((name) => ({ id: `schema-${name}`, title: name })) },
  ];
}
