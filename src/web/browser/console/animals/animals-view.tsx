import type { JSX } from 'preact';
import type { ListedPet, Pet } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { WHOLE_NUMBER } from '../data/find.ts';
import { may } from '../data/permissions.ts';
import { animals, inventory } from '../data/store.ts';
import { ListCard } from '../parts/list-card.tsx';
import { News } from '../parts/news.tsx';
import { Rows } from '../parts/rows.tsx';
import { Search } from '../parts/search.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { type Status, short, statusWord } from '../parts/wording.ts';
import { ANIMALS, petStatuses, REMOVED, route, routeHref } from '../route.ts';
import { AnimalRow } from './animal-row.tsx';
import { CategoryFilter } from './category-filter.tsx';
import { openForm } from './draft.ts';
import { Paper, PaperTools } from './paper-tools.tsx';
import { ShareLine } from './share-line.tsx';

const NOUNS = ['animal', 'animals'] as const;

export function AnimalsView(): JSX.Element {
  const { status } = route.value;
  const isSearch =
    route.value.view === 'animals' && (route.value.name !== '' || route.value.category !== undefined);
  return (
    <>
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Animals
        </h1>
        <News list={animals} nouns={NOUNS} />
        {may('pets:write') ? (
          <button type="button" class="button main add" onClick={openForm}>
            {icon('plus')}
            Add an animal
          </button>
        ) : null}
      </div>
      <ListCard<ListedPet>
        list={animals}
        label="Animals"
        nouns={NOUNS}
        total={isSearch ? undefined : countOf(status)}
        bar={
          <>
            <div class="bar">
              <Tabs statuses={petStatuses} counts={may('store:read') ? countOf : undefined} />
              <div class="filters">
                <CategoryFilter />
                <Search
                  label="Find an animal by a part of its name, or by id"
                  placeholder="Part of a name, or id"
                />
              </div>
            </div>
            <ShareLine />
          </>
        }
        rows={(pets) => <Rows items={pets} row={(pet) => <AnimalRow key={`${pet.id}`} pet={pet} />} />}
        empty={<Empty />}
        end={
          <>
            <PaperTools />
            <a class="button plain small" href={routeHref(REMOVED)}>
              Removed
            </a>
          </>
        }
      />
      <Paper />
    </>
  );
}

function countOf(status: Status | undefined): bigint | undefined {
  const counts = inventory.value;
  if (!counts) return undefined;
  if (status === undefined) return petStatuses.reduce((sum, one) => sum + counts[one], 0n);
  return petStatuses.includes(status as Pet['status']) ? counts[status as Pet['status']] : undefined;
}

function Empty(): JSX.Element | null {
  const current = route.value;
  if (current.view !== 'animals') return null;
  const { status, name, category } = current;
  if (name === '' && status === undefined && category === undefined) {
    return (
      <div class="empty">
        <span class="hung">
          <span class="tag blank" />
        </span>
        <h2>No animals yet</h2>
        <p>
          {may('pets:write') ? 'Add the first one. It appears here at once. ' : ''}Looking for one that was
          removed? <a href={routeHref(REMOVED)}>See removed animals</a>
        </p>
        {may('pets:write') ? (
          <button type="button" class="button main" onClick={openForm}>
            {icon('plus')}
            Add an animal
          </button>
        ) : null}
      </div>
    );
  }
  const animal = status === undefined ? 'animal' : `${statusWord(status).toLowerCase()} animal`;
  const which = category === undefined ? animal : `${animal} of this category`;
  return (
    <div class="empty">
      <h2>
        {name === ''
          ? `No ${which}`
          : WHOLE_NUMBER.test(name)
            ? `No ${which} has the id ${short(name)} or a name that contains it`
            : `No ${which} has a name that contains ${short(name)}`}
      </h2>
      <p>
        {status === undefined && category === undefined ? '' : 'Try another tab or category. '}
        {name === '' ? '' : 'Upper and lower case and accents make no difference.'}
      </p>
      <a class="button" href={routeHref(ANIMALS)}>
        Show all animals
      </a>
    </div>
  );
}
