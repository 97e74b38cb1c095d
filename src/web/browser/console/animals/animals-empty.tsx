import type { JSX } from 'preact';
import { hungTag, icon } from '../../shared/icons.tsx';
import { route } from '../address.ts';
import { short, statusWord } from '../parts/wording.ts';
import { ANIMALS, REMOVED, type Route, routeHref } from '../route.ts';
import { may, shop } from '../session.ts';

type AnimalsRoute = Extract<Route, { readonly view: 'animals' }>;

/** Whether there is no animal at all, as far as is known. */
export function isShopEmpty(): boolean {
  const current = route.value;
  const { ids, next, loading } = shop().animalList;
  const isWhole = next.value === undefined && !loading.value;
  return current.view === 'animals' && !isNarrowed(current) && isWhole && ids.value?.length === 0;
}

const isNarrowed = ({ status, text, category }: AnimalsRoute): boolean =>
  text !== '' || status !== undefined || category !== undefined;

/** A list without animals: it says what was looked for, and the way out. */
export function NoAnimals(): JSX.Element | null {
  const current = route.value;
  if (current.view !== 'animals') return null;
  const { status, text, category } = current;
  if (!isNarrowed(current)) return <EmptyShop />;
  const isFiltered = status !== undefined || category !== undefined;
  const kind = status === undefined ? 'animal' : `${statusWord(status).toLowerCase()} animal`;
  const name = category === undefined ? undefined : shop().categories.nameOf(category);
  const where =
    category === undefined ? '' : ` in ${name === undefined ? `category ${category}` : short(name)}`;
  return (
    <div class="empty">
      <h2>{`No ${kind}${where}${text === '' ? '' : ` for ${short(text)}`}`}</h2>
      {text === '' ? null : (
        <p>
          Names, ids, categories and the notes of reservations were searched, whatever the case and accents.
        </p>
      )}
      <div class="actions">
        {text !== '' && isFiltered ? (
          <a class="button" href={routeHref({ ...ANIMALS, text })}>
            Search all animals
          </a>
        ) : null}
        {text === '' ? (
          <a class="button" href={routeHref(ANIMALS)}>
            Show all animals
          </a>
        ) : (
          <a class={`button ${isFiltered ? 'plain' : ''}`} href={routeHref({ ...current, text: '' })}>
            Clear the search
          </a>
        )}
      </div>
    </div>
  );
}

function EmptyShop(): JSX.Element {
  return (
    <div class="empty">
      {hungTag(<span class="tag blank" />)}
      <h2>No animals yet</h2>
      <p>
        {may('pets:write') ? 'Add the first one. It appears here at once. ' : ''}Looking for one that was
        removed? <a href={routeHref(REMOVED)}>See removed animals</a>
      </p>
      {may('pets:write') ? (
        <div class="actions">
          <button type="button" class="button main" onClick={() => shop().addForm.open()}>
            {icon('plus')}
            Add an animal
          </button>
        </div>
      ) : null}
    </div>
  );
}
