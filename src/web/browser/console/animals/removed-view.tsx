import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { route } from '../address.ts';
import { ListCard } from '../parts/list-card.tsx';
import { Rows } from '../parts/rows.tsx';
import { Search } from '../parts/search.tsx';
import { Unseen } from '../parts/unseen.tsx';
import { short } from '../parts/wording.ts';
import { ANIMALS, REMOVED, routeHref } from '../route.ts';
import { shop } from '../session.ts';
import { RemovedRow } from './removed-row.tsx';

const NOUNS = ['removed animal', 'removed animals'] as const;

/** What was removed, the latest first: when, by whom and why. */
export function RemovedView(): JSX.Element {
  const { animalList } = shop();
  return (
    <>
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Removed animals
        </h1>
        <Unseen list={animalList} nouns={NOUNS} />
        <Search label="Find a removed animal by a part of its name, or by its id" placeholder="Name or id" />
      </div>
      <ListCard
        list={animalList}
        label="Removed animals"
        nouns={NOUNS}
        bar={
          <div class="part">
            <a class="back" href={routeHref(ANIMALS)}>
              {icon('left')}
              Animals
            </a>
            <span class="end quiet">latest first</span>
          </div>
        }
        rows={() => (
          <Rows items={animalList.ids.value ?? []} row={(id) => <RemovedRow key={`${id}`} id={id} />} />
        )}
        empty={<Empty />}
      />
    </>
  );
}

function Empty(): JSX.Element {
  const text = 'text' in route.value ? route.value.text : '';
  return text === '' ? (
    <div class="empty">
      <h2>Nothing was removed</h2>
      <p>A removed animal waits here until it is restored.</p>
    </div>
  ) : (
    <div class="empty">
      <h2>{`No removed animal has ${short(text)} in its name`}</h2>
      <div class="actions">
        <a class="button" href={routeHref(REMOVED)}>
          Show all removed animals
        </a>
      </div>
    </div>
  );
}
