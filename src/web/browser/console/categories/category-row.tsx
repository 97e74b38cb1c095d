import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { tidyName } from '../animals/values.ts';
import { categoryNames } from '../data/categories.ts';
import { removeCategory, renameCategory } from '../data/category-actions.ts';
import { isOffline } from '../data/connection.ts';
import { outcomes } from '../data/outcomes.ts';
import { may } from '../data/permissions.ts';
import { keepFocus } from '../parts/keep-focus.ts';
import { RowState } from '../parts/row-state.tsx';
import { Tag } from '../parts/tag.tsx';
import { short } from '../parts/wording.ts';
import { routeHref } from '../route.ts';

interface CategoryRowProps {
  readonly id: bigint;
  /** Undefined if nobody has named it yet. */
  readonly name: string | undefined;
}

/** One category: its animals are a click away. */
export function CategoryRow({ id, name }: CategoryRowProps): JSX.Element {
  const isRenamed = useSignal(false);
  const link = useRef<HTMLAnchorElement>(null);
  const wasRenamed = useRef(false);
  useLayoutEffect(() => {
    if (wasRenamed.current && !isRenamed.value) link.current?.focus({ preventScroll: true });
    wasRenamed.current = isRenamed.value;
  }, [isRenamed.value]);
  const isRemoved = name !== undefined && !categoryNames.value.has(id);
  const called = name === undefined ? `category ${id}` : short(name);
  const isBusy = outcomes.value.get(`category-${id}`)?.kind === 'busy';
  const rests = isBusy || isOffline.value || isRemoved || !may('pets:write');
  const stop = () => (isRenamed.value = false);
  if (isRenamed.value) return <Renaming id={id} name={name} stop={stop} />;
  return (
    <li class={`row is-category ${isRemoved ? 'is-over' : ''}`}>
      <Tag categoryId={id} />
      <a
        ref={link}
        class="row-name"
        href={routeHref({ view: 'animals', status: undefined, name: '', category: id })}
      >
        {name === undefined ? (
          <span class="name is-unnamed">No name yet</span>
        ) : (
          <bdi class="name" title={name}>
            {name}
          </bdi>
        )}
        <span class="id">{`${id}`}</span>
      </a>
      <span class="row-meta">
        <RowState place={`category-${id}`} status={isRemoved ? 'removed' : undefined} />
      </span>
      <span class="row-action">
        {rests ? null : (
          <>
            {name === undefined ? null : (
              <button
                type="button"
                class="button small plain"
                aria-label={`Remove ${called}`}
                onClick={(event: MouseEvent) => {
                  keepFocus(event);
                  void removeCategory(id, name);
                }}
              >
                Remove
              </button>
            )}
            <button
              type="button"
              class="button small"
              aria-label={`${name === undefined ? 'Give a name to' : 'Rename'} ${called}`}
              onClick={() => (isRenamed.value = true)}
            >
              {name === undefined ? 'Give a name' : 'Rename'}
            </button>
          </>
        )}
      </span>
    </li>
  );
}

interface RenamingProps extends CategoryRowProps {
  readonly stop: () => void;
}

function Renaming({ id, name, stop }: RenamingProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const submit = (event: Event) => {
    event.preventDefault();
    const wanted = tidyName(input.current?.value ?? '');
    stop();
    if (wanted !== '' && wanted !== name) void renameCategory(id, wanted);
  };
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') stop();
  };
  return (
    <li class="row is-category">
      <Tag categoryId={id} />
      <form class="rename" onSubmit={submit} onKeyDown={pressed}>
        <input
          ref={input}
          class="input"
          aria-label={name === undefined ? `Name of category ${id}` : `New name for ${short(name)}`}
          autocomplete="off"
          dir="auto"
          maxLength={1000}
          defaultValue={name}
        />
        <button type="submit" class="button small first">
          Save
        </button>
        <button type="button" class="button small plain" onClick={stop}>
          Keep
        </button>
      </form>
    </li>
  );
}
