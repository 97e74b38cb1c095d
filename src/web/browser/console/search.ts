import { useEffect, useRef } from 'preact/hooks';
import { SEARCH_TEXT } from '../../../contract/name-key.ts';
import { type Element, h } from '../shared/element.ts';
import { icon } from '../shared/icons.ts';
import { replaceRoute, route } from './route.ts';

const PAUSE_MS = 250;

/** Finds by the beginning of a name, shortly after the last letter was typed. */
export function Search(): Element {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const name = route.value.view === 'animals' ? route.value.name : '';
  // The address may change by other ways than typing: back, a link, a filter.
  useEffect(() => {
    if (input.current && input.current.value.trim() !== name) input.current.value = name;
  }, [name]);
  const search = () => {
    const current = route.peek();
    if (current.view === 'animals') replaceRoute({ ...current, name: input.current?.value.trim() ?? '' });
  };
  const typed = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(search, PAUSE_MS);
  };
  return h(
    'form',
    {
      class: 'search',
      role: 'search',
      onSubmit: (event: Event) => {
        event.preventDefault();
        clearTimeout(timer.current);
        search();
      },
    },
    h('label', { class: 'visually-hidden', for: 'search' }, 'Find by name'),
    icon('search'),
    h('input', {
      ref: input,
      id: 'search',
      class: 'input',
      type: 'search',
      placeholder: 'Find by name',
      autocomplete: 'off',
      spellcheck: false,
      dir: 'auto',
      maxLength: SEARCH_TEXT.maxLength,
      defaultValue: name,
      onInput: typed,
    }),
  );
}
