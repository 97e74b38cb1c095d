import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { SEARCH_TEXT } from '../../../../contract/name-key.ts';
import { icon } from '../../shared/icons.tsx';
import { useSearchKey } from '../../shared/search-key.ts';
import { replaceRoute, route } from '../route.ts';

const PAUSE_MS = 250;

interface SearchProps {
  /** What it finds, for screen readers and in short. */
  readonly label: string;
  readonly placeholder: string;
}

/** The text that the list is searched for, shortly after the last letter was typed. */
export function Search({ label, placeholder }: SearchProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useSearchKey(input);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const name = 'name' in route.value ? route.value.name : '';
  // The address may change by other ways than typing: back, a link, a filter.
  useEffect(() => {
    if (input.current && input.current.value.trim() !== name) input.current.value = name;
  }, [name]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = () => {
    const current = route.peek();
    if ('name' in current) replaceRoute({ ...current, name: input.current?.value.trim() ?? '' });
  };
  const typed = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(search, PAUSE_MS);
  };
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event: Event) => {
        event.preventDefault();
        clearTimeout(timer.current);
        search();
      }}
    >
      <label class="visually-hidden" for="search">
        {label}
      </label>
      {icon('search')}
      <input
        ref={input}
        id="search"
        class="input"
        type="search"
        placeholder={placeholder}
        autocomplete="off"
        aria-keyshortcuts="/"
        spellcheck={false}
        dir="auto"
        maxLength={SEARCH_TEXT.maxLength}
        defaultValue={name}
        onInput={typed}
      />
    </form>
  );
}
