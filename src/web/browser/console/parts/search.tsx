import { useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { SEARCH_TEXT } from '../../../../contract/name-key.ts';
import { icon } from '../../shared/icons.tsx';
import { useSearchKey } from '../../shared/search-key.ts';
import { replaceRoute, route } from '../address.ts';
import { parseRoute, type Route, routeHref } from '../route.ts';

const PAUSE_MS = 250;

interface SearchProps {
  /** What it finds, for screen readers and in short. */
  readonly label: string;
  readonly placeholder: string;
}

const textOf = (of: Route): string => ('text' in of ? of.text : '');

/**
 * The text that the list is searched for. What is in the field is the person's: the address follows shortly after the last letter was
 * typed, and changes the field only when something else than the field has changed it, such as Back or a link.
 */
export function Search({ label, placeholder }: SearchProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useSearchKey(input);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The text of the address that this field knows of. */
  const known = useRef(textOf(route.peek()));
  useSignalEffect(() => {
    const text = textOf(route.value);
    if (text === known.current) return;
    known.current = text;
    clearTimeout(timer.current);
    if (input.current) input.current.value = text;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = () => {
    clearTimeout(timer.current);
    const current = route.peek();
    if (!('text' in current)) return;
    const to = { ...current, text: input.current?.value.trim() ?? '' };
    // As the address reads it: of an accent whose letter is still to come, nothing.
    known.current = textOf(parseRoute(routeHref(to)));
    replaceRoute(to);
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
        defaultValue={known.current}
        onInput={typed}
      />
    </form>
  );
}
