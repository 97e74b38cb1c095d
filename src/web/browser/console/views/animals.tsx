import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Inventory } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import type { Animal } from '../data/cache.ts';
import { dayOf, now } from '../data/calendar.ts';
import { sum } from '../data/categories.ts';
import { gatherAnimals } from '../data/csv.ts';
import { MOST_ROWS } from '../data/list.ts';
import { count, counted, quoted, statusWord } from '../data/text.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import { ListCard, PageHead, Unseen } from '../parts/list.tsx';
import { AnimalRow } from '../parts/row.tsx';
import { AnimalState, CategoryName } from '../parts/status.tsx';
import { shapeOf } from '../parts/words.ts';
import { ANIMALS, listAddress, type RouteOf, route, routeHref, screenOf, type Tab, tabs } from '../route.ts';
import { may, openAddForm, shop } from '../session.ts';
import { clearedSearch, Search } from './search.tsx';
import { isTicked, SelectionBar, stopSelecting, Tick, tickedIds } from './selection.tsx';

const NOUNS = ['animal', 'animals'] as const;

type AnimalsRoute = RouteOf<'animals'>;
const current = (): AnimalsRoute =>
  route.value.view === 'animals' ? (route.value as AnimalsRoute) : ANIMALS;

export function AnimalsView(): JSX.Element {
  const { animalList } = shop();
  useEffect(() => stopSelecting, [listAddress.value]);
  return (
    <>
      <PageHead title="Animals">
        <Unseen lists={[animalList]} nouns={NOUNS} />
        {may('pets:write') ? (
          <button type="button" class="button main add" onClick={openAddForm}>
            {icon('plus')}
            Add animals
          </button>
        ) : null}
      </PageHead>
      <ListCard
        list={animalList}
        label="Animals"
        bar={
          <>
            {tickedIds().size > 0 ? (
              <SelectionBar />
            ) : (
              <div class="bar">
                <Tabs />
                <Search />
              </div>
            )}
            <ShareLine />
          </>
        }
        rows={() => (
          <ul class="rows animals">
            {(animalList.ids.value ?? []).map((id) => (
              <InventoryRow key={`${id}`} id={id} />
            ))}
          </ul>
        )}
        empty={<NoAnimals />}
        end={<End />}
      />
    </>
  );
}

function InventoryRow({ id }: { readonly id: bigint }): JSX.Element {
  // Read through a computed signal, so that a tick draws its own row again and no other.
  const isPicked = useComputed(() => isTicked(id)).value;
  const isSelecting = useComputed(() => tickedIds().size > 0).value;
  return (
    <AnimalRow
      id={id}
      lead={<Tick id={id} isTicked={isPicked} />}
      class={isPicked ? 'picked' : ''}
      hasActions={!isSelecting}
      cells={(animal) =>
        animal && (
          <>
            <a href={routeHref({ ...ANIMALS, category: animal.categoryId })}>
              <CategoryName categoryId={animal.categoryId} />
            </a>
            <AnimalState animal={animal} />
            <span class="note quiet">
              <bdi>{noteOf(animal)}</bdi>
            </span>
          </>
        )
      }
    />
  );
}

/** Who it is reserved for or was sold to, or why it was removed. */
function noteOf(animal: Animal): string | undefined {
  const { cache } = shop();
  if (animal.removed) return animal.removed.reason;
  return cache.isWithoutOrder(animal) ? 'without an order' : cache.orderOf(animal)?.note;
}

/** How many animals a tab has: of the chosen category, if there is one. */
function countOf(tab: Tab): bigint | undefined {
  const counts = shop().counts.shown.value;
  if (!counts || tab === 'removed') return undefined;
  return tab === 'all' ? sum(counts) : counts[tab];
}

/** Each tab is an address. The service does not count what a search finds, so the tabs have no numbers then. */
function Tabs(): JSX.Element {
  const at = current();
  const hasCounts = at.text === '' && may('store:read');
  return (
    <nav class="tabs" aria-label="State">
      {tabs.map((tab) => {
        const number = hasCounts ? countOf(tab) : undefined;
        const category = tab === 'removed' ? undefined : at.category;
        return (
          <a
            key={tab}
            class={tab === 'all' || tab === 'removed' ? '' : `state ${shapeOf(tab)}`}
            href={routeHref({ view: 'animals', tab, category, text: at.text })}
            aria-current={tab === at.tab ? 'true' : undefined}
          >
            {tab === 'all' ? 'All' : statusWord(tab)}
            {number === undefined ? null : <b>{count(number)}</b>}
          </a>
        );
      })}
    </nav>
  );
}

/** The share of each state as a line. The numbers are in the tabs. */
function ShareLine(): JSX.Element {
  const counts = shop().counts.shown.value;
  const { text } = current();
  const part = (name: string, status: keyof Inventory) => (
    <i
      class={name}
      style={{ '--n': `${counts?.[status]}`, display: counts?.[status] === 0n ? 'none' : '' }}
    />
  );
  return (
    <div class="share" aria-hidden="true">
      {counts && text === '' ? (
        <>
          {part('available', 'available')}
          {part('reserved', 'pending')}
          {part('sold', 'sold')}
        </>
      ) : null}
    </div>
  );
}

/** `50 of 215`, `8 animals with “mango” in their name` */
function End(): JSX.Element {
  const { text, tab, withoutOrder } = current();
  const { ids, next } = shop().animalList;
  const shown = ids.value?.length ?? 0;
  const total = text === '' && !withoutOrder ? countOf(tab) : undefined;
  const isPart = next.value !== undefined;
  const number =
    isPart && total !== undefined && total > BigInt(shown)
      ? `${count(shown)} of ${count(total)}`
      : `${isPart ? 'The first ' : ''}${counted(shown, ...NOUNS)}`;
  const csv = (
    <CsvButton
      class="link"
      of={listAddress.value}
      fileName={() => `animals-${dayOf(now.peek())}.csv`}
      gather={(gathering) => {
        const screen = screenOf(current());
        return gatherAnimals(shop(), screen.of === 'animals' ? screen.query : {}, gathering);
      }}
    />
  );
  if (isPart && shown >= MOST_ROWS)
    return (
      <>
        {number}. Search to see others. {csv} has all.
      </>
    );
  return (
    <>
      {number}
      {text === '' ? '' : ` with ${quoted(text)} in ${shown === 1 ? 'its' : 'their'} name`}
      {' – '}
      {csv}
    </>
  );
}

/** A list without animals: it says what was looked for, and the way out. */
function NoAnimals(): JSX.Element {
  const { text, tab, category } = current();
  const name = category === undefined ? undefined : shop().categories.nameOf(category);
  const where =
    category === undefined ? '' : ` in ${name === undefined ? `category ${category}` : quoted(name)}`;
  if (text !== '')
    return (
      <div class="empty">
        <h2>{`No ${tab === 'all' ? '' : `${statusWord(tab).toLowerCase()} `}animal${where} is called ${quoted(text)}`}</h2>
        <p>{`The search looks at names and ids${tab === 'all' ? ', also of sold animals' : ''}.`}</p>
        <a class="button" href={clearedSearch()}>
          Clear the search
        </a>
      </div>
    );
  const all = shop().counts.all.value;
  const isShopEmpty = tab !== 'removed' && category === undefined && (all ? sum(all) === 0n : tab === 'all');
  if (isShopEmpty) return <EmptyShop />;
  return (
    <div class="empty">
      <h2>
        {tab === 'all' ? `No animals${where}` : `No animal${where} is ${statusWord(tab).toLowerCase()}`}
      </h2>
      {tab === 'all' && category === undefined ? null : (
        <a class="button" href={routeHref({ ...ANIMALS, tab: 'all' })}>
          Show all animals
        </a>
      )}
    </div>
  );
}

const EmptyShop = (): JSX.Element => (
  <div class="empty">
    <span class="hung">
      <span class="tag s1 stone" />
    </span>
    <h2>No animals yet</h2>
    <p>The first one takes a name and a category.</p>
    {may('pets:write') ? (
      <button type="button" class="button main" onClick={openAddForm}>
        {icon('plus')}
        Add animals
      </button>
    ) : null}
  </div>
);
