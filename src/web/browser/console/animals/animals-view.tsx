import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { PetStatus } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { listAddress, route } from '../address.ts';
import { ListCard } from '../parts/list-card.tsx';
import { Rows } from '../parts/rows.tsx';
import { Search } from '../parts/search.tsx';
import { Tab, Tabs } from '../parts/tabs.tsx';
import { Unseen } from '../parts/unseen.tsx';
import { count, statusWord } from '../parts/wording.ts';
import { ANIMALS, petStatuses, REMOVED, routeHref } from '../route.ts';
import { may, shop } from '../session.ts';
import { AnimalRow } from './animal-row.tsx';
import { isShopEmpty, NoAnimals } from './animals-empty.tsx';
import { CategoryFilter } from './category-filter.tsx';
import { PaperTools } from './paper-tools.tsx';
import { Paper } from './paper-view.tsx';
import { useRowKeys } from './row-keys.ts';
import {
  endChoosing,
  forgetQuestion,
  isChoosing,
  isSelecting,
  maySelect,
  stopSelecting,
} from './selecting.ts';
import { SelectionBar } from './selection-bar.tsx';
import { ShareLine } from './share-line.tsx';

const NOUNS = ['animal', 'animals'] as const;

export function AnimalsView(): JSX.Element {
  const { text, status } = route.value.view === 'animals' ? route.value : { ...ANIMALS, status: undefined };
  const { animalList } = shop();
  useRowKeys();
  useEffect(() => forgetQuestion, [listAddress.value]);
  useEffect(() => endChoosing, []);
  return (
    <>
      <Head />
      <ListCard
        list={animalList}
        label="Animals"
        nouns={NOUNS}
        class={isSelecting() ? 'selecting' : ''}
        total={text === '' ? countOf(status) : undefined}
        bar={
          <>
            <div class="bar">
              <StatusTabs />
              <div class="filters">
                <CategoryFilter />
                <Search
                  label="Find an animal by name, id, category or note"
                  placeholder="Name, id or category"
                />
              </div>
              <SelectionBar />
            </div>
            <ShareLine />
          </>
        }
        rows={() => (
          <Rows items={animalList.ids.value ?? []} row={(id) => <AnimalRow key={`${id}`} id={id} />} />
        )}
        empty={<NoAnimals />}
        end={
          <>
            <PaperTools />
            <a href={routeHref(REMOVED)}>Removed animals</a>
          </>
        }
      />
      <Paper />
    </>
  );
}

function Head(): JSX.Element {
  const choose = () => {
    if (isSelecting()) stopSelecting();
    else isChoosing.value = true;
  };
  const hasRows = (shop().animalList.ids.value?.length ?? 0) > 0;
  return (
    <div class="page-head">
      <h1 id="view-title" tabIndex={-1}>
        Animals
      </h1>
      <Unseen list={shop().animalList} nouns={NOUNS} />
      {maySelect() && (hasRows || isSelecting()) ? (
        <button
          type="button"
          class="button plain choose"
          aria-disabled={shop().selection.progress.value !== undefined}
          onClick={choose}
        >
          {isSelecting() ? 'Done' : 'Select'}
        </button>
      ) : null}
      {may('pets:write') && !isShopEmpty() ? (
        <button type="button" class="button main add end" onClick={() => shop().addForm.open()}>
          {icon('plus')}
          Add an animal
        </button>
      ) : null}
    </div>
  );
}

/** Counted in the chosen category. */
function StatusTabs(): JSX.Element | null {
  const current = route.value;
  if (current.view !== 'animals') return null;
  return (
    <Tabs label="Status">
      {[undefined, ...petStatuses].map((status) => (
        <Tab
          key={status ?? 'all'}
          href={routeHref({ ...current, status, animal: undefined })}
          isCurrent={current.status === status}
          status={status}
          count={may('store:read') ? numberOf(status) : undefined}
        >
          {status === undefined ? 'All' : statusWord(status)}
        </Tab>
      ))}
    </Tabs>
  );
}

/** A place is kept for a count that is not there yet. */
function numberOf(status: PetStatus | undefined): string {
  const number = countOf(status);
  return number === undefined ? '\u2007' : count(number);
}

function countOf(status: PetStatus | undefined): bigint | undefined {
  const counts = shop().counts.shown.value;
  if (!counts || status !== undefined) return counts && status && counts[status];
  return petStatuses.reduce((sum, one) => sum + counts[one], 0n);
}
