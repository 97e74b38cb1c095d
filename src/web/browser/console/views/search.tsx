import { useSignalEffect } from '@preact/signals';
import type { ComponentChildren, JSX, TargetedInputEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { SEARCH_TEXT } from '../../../../contract/name-key.ts';
import { icon } from '../../shared/icons.tsx';
import { useSearchKey } from '../../shared/search-key.ts';
import { short } from '../data/text.ts';
import { ANIMALS, parseRoute, type RouteOf, replaceRoute, route, routeHref, type Tab } from '../route.ts';
import { shop } from '../session.ts';

/** Shorter than the time between two letters of most people: what is found shows while they type. */
const PAUSE_MS = 20;

type AnimalsRoute = RouteOf<'animals'>;
const current = (): AnimalsRoute =>
  route.peek().view === 'animals' ? (route.peek() as AnimalsRoute) : ANIMALS;

/** The tab from which a search has led to All. */
let tabBefore: Tab = ANIMALS.tab;

/** The address for a text: a search is among all animals, of the chosen category if there is one, and ends where it began. */
function searchFor(text: string): AnimalsRoute {
  const from = current();
  const begins = from.text === '' && text !== '' && from.tab !== 'removed';
  if (begins) tabBefore = from.tab;
  const ends = from.text !== '' && text === '' && from.tab === 'all';
  const tab = begins ? 'all' : ends ? tabBefore : from.tab;
  return { ...from, tab, text, withoutOrder: undefined };
}

/** Ends the search, and leads back to where it began. */
export const clearedSearch = (): string => routeHref({ ...searchFor(''), animal: undefined });

/**
 * The address follows the field shortly after the last letter was typed. It changes the field only if something else has changed the
 * address, such as Back or a link. The chosen category is a chip in the field.
 */
export function Search(): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useSearchKey(input);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** The text of the address that the field has set or shown. */
  const known = useRef(current().text);
  const { categories } = shop();
  const { category, withoutOrder } = route.value.view === 'animals' ? route.value : (ANIMALS as AnimalsRoute);
  useSignalEffect(() => {
    const text = route.value.view === 'animals' ? route.value.text : '';
    if (text === known.current) return;
    known.current = text;
    clearTimeout(timer.current);
    if (input.current) input.current.value = text;
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = () => {
    clearTimeout(timer.current);
    const to = searchFor(input.current?.value.trim() ?? '');
    // The text as the address reads it: empty for an accent without its letter.
    const understood = parseRoute(routeHref(to));
    known.current = understood.view === 'animals' ? understood.text : '';
    if (routeHref(to) !== routeHref(current())) replaceRoute(to);
  };
  const typed = (event: TargetedInputEvent<HTMLInputElement>) => {
    clearTimeout(timer.current);
    const chosen = isSuggestion(event) ? categories.called(event.currentTarget.value) : undefined;
    if (!chosen) {
      timer.current = setTimeout(search, PAUSE_MS);
      return;
    }
    event.currentTarget.value = '';
    known.current = '';
    const from = searchFor('');
    replaceRoute({ ...from, tab: from.tab === 'removed' ? ANIMALS.tab : from.tab, category: chosen.id });
  };
  const chip = (text: ComponentChildren, about: string, left: Partial<AnimalsRoute>) => (
    <button
      type="button"
      class="chip"
      aria-label={about}
      onClick={() => {
        // The chip is about to disappear, so the field gets the focus.
        input.current?.focus();
        replaceRoute({ ...current(), ...left });
      }}
    >
      {text}
      {icon('close')}
    </button>
  );
  const name = category === undefined ? undefined : (categories.nameOf(category) ?? `category ${category}`);
  const label = name === undefined ? 'Search all animals' : `Search in ${short(name)}`;
  return (
    <form
      class="search end"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        search();
      }}
    >
      {icon('search')}
      {name === undefined
        ? null
        : chip(<bdi>{name}</bdi>, `${name}: show all categories`, { category: undefined })}
      {withoutOrder
        ? chip('without an order', 'without an order: also show those with one', { withoutOrder: undefined })
        : null}
      <input
        ref={input}
        id="search"
        type="search"
        aria-label={label}
        placeholder={label}
        list="search-categories"
        autocomplete="off"
        aria-keyshortcuts="/"
        spellcheck={false}
        dir="auto"
        maxLength={SEARCH_TEXT.maxLength}
        defaultValue={known.current}
        onInput={typed}
      />
      <datalist id="search-categories">
        {category === undefined
          ? categories.all.value.map(({ id, name: one }) => <option key={`${id}`} value={one} />)
          : null}
      </datalist>
    </form>
  );
}

/** Whether the text was chosen from the suggestions: browsers tell that in two ways. A name that is typed is searched for. */
const isSuggestion = (event: Event): boolean =>
  !(event instanceof InputEvent) || event.inputType === 'insertReplacementText';
