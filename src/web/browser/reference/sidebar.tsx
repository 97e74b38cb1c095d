import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { logo } from '../shared/icons.tsx';
import { isStaging } from '../shared/service.ts';
import type { Entry, OpenApi } from './document.ts';
import { guides } from './guides.ts';
import { capital, methodMark } from './marks.tsx';
import { SearchBox } from './search-box.tsx';

interface SidebarProps {
  readonly api: OpenApi;
  readonly entries: readonly Entry[];
}

interface Item {
  readonly id: string;
  readonly title: string;
  readonly method?: string;
  readonly isOver?: boolean | undefined;
}

/** The way around the page: on a phone it stays at the top, and the contents are folded. */
export function Sidebar({ api, entries }: SidebarProps): JSX.Element {
  const groups = contentsOf(api, entries);
  const current = useCurrentSection(groups.flatMap(({ items }) => items.map(({ id }) => id)));
  const title = groups.flatMap(({ items }) => items).find(({ id }) => id === current)?.title;
  const isWide = matchMedia('(min-width: 861px)').matches;
  const fold = (event: Event) => {
    if (!isWide) (event.currentTarget as HTMLElement).closest('details')?.removeAttribute('open');
  };
  return (
    <header class="sidebar">
      <div class="sidebar-head">
        <a class="brand" href="./">
          {logo()}
          <span>Animal Store</span>
          {isStaging(api.servers ?? []) ? <span class="badge staging">Staging</span> : null}
        </a>
        <SearchBox api={api} entries={entries} />
      </div>
      <details class="contents-fold" open={isWide}>
        <summary>{title ?? 'Contents'}</summary>
        <nav class="contents" aria-label="Contents">
          {groups.map(({ name, items }) => (
            <div key={name}>
              <p class="contents-group">{name}</p>
              <ul>
                {items.map(({ id, title: text, method, isOver }) => (
                  <li key={id}>
                    <a href={`#${id}`} aria-current={current === id ? 'location' : undefined} onClick={fold}>
                      <span class={isOver ? 'struck' : ''}>{text}</span>
                      {method ? methodMark(method) : null}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </nav>
      </details>
    </header>
  );
}

function contentsOf(
  api: OpenApi,
  entries: readonly Entry[],
): { readonly name: string; readonly items: readonly Item[] }[] {
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

/** The section at the top of the window. */
function useCurrentSection(ids: readonly string[]): string | undefined {
  const current = useSignal<string | undefined>(undefined);
  useEffect(() => {
    const look = () => {
      const passed = ids.filter(
        (id) => (document.getElementById(id)?.getBoundingClientRect().top ?? 1e9) < 160,
      );
      current.value = passed.at(-1);
    };
    look();
    addEventListener('scroll', look, { passive: true });
    return () => removeEventListener('scroll', look);
  }, []);
  return current.value;
}
