import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX, RefObject } from 'preact';
import { icon } from '../shared/icons.tsx';
import { useSearchKey } from '../shared/search-key.ts';
import type { Place } from './places.ts';
import { search, wanted, wordsOf } from './search.ts';

interface SearchBoxProps {
  readonly places: readonly Place[];
  readonly input: RefObject<HTMLInputElement | null>;
}

/** Finds guides, operations, errors and schemas. `/` leads here, the arrows choose, Enter jumps. */
export function SearchBox({ places, input }: SearchBoxProps): JSX.Element {
  const chosen = useSignal(0);
  const { total, found } = search(places, wanted.value);
  useSearchKey(input);
  const close = () => (wanted.value = '');
  const pressed = (event: KeyboardEvent) => {
    // What is shown may lag behind what was typed.
    const { found } = search(places, wanted.peek());
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      chosen.value = (chosen.value + step + found.length) % found.length;
    }
    if (event.key === 'Escape') {
      if (wanted.peek() === '') input.current?.blur();
      close();
    }
    const target = found[chosen.value];
    if (event.key !== 'Enter' || !target) return;
    event.preventDefault();
    close();
    input.current?.blur();
    location.hash = target.href;
  };
  return (
    <div class="search" role="search">
      <label class="visually-hidden" for="find">
        Search this page
      </label>
      {icon('search')}
      <input
        ref={input}
        id="find"
        class="input"
        type="search"
        placeholder="Search"
        autocomplete="off"
        aria-keyshortcuts="/"
        role="combobox"
        list={undefined}
        aria-expanded={wanted.value !== ''}
        aria-controls="found"
        aria-activedescendant={found.length > 0 ? `found-${chosen.value}` : undefined}
        value={wanted.value}
        onKeyDown={pressed}
        onInput={(event: Event) => {
          wanted.value = (event.target as HTMLInputElement).value;
          chosen.value = 0;
        }}
      />
      <span class="search-key" aria-hidden="true">
        <kbd>/</kbd>
      </span>
      {wordsOf(wanted.value).length > 0 ? (
        <div class="results">
          <p class="tally" role="status">
            {found.length === 0 ? 'Nothing found. Try another word.' : tally(total, found.length)}
          </p>
          <div id="found" role="listbox" aria-label="Found">
            {found.map((place, index) => (
              <a
                key={`${index}`}
                id={`found-${index}`}
                class="result"
                role="option"
                aria-selected={index === chosen.value}
                href={place.href}
                tabIndex={-1}
                onClick={() => {
                  close();
                  input.current?.blur();
                }}
              >
                <span class="result-title">
                  <span>{marked(place.title)}</span>
                  <span class="method">{place.kind}</span>
                </span>
                <span class="result-text cut">{marked(place.excerpt)}</span>
              </a>
            ))}
          </div>
        </div>
      ) : null}
    </div>
  );
}

const tally = (total: number, shown: number): string =>
  `${total} ${total === 1 ? 'result' : 'results'} for “${wanted.value.trim()}”${total > shown ? `, the first ${shown}` : ''}`;

/** The text with the words that were searched for marked. */
function marked(text: string): ComponentChildren {
  const words = wordsOf(wanted.value).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (words.length === 0) return text;
  return text
    .split(new RegExp(`(${words.join('|')})`, 'i'))
    .map((part, index) => (index % 2 === 1 ? <mark key={`${index}`}>{part}</mark> : part));
}
