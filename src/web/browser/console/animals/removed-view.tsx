import type { JSX } from 'preact';
import type { ListedPet } from '../../../../client/index.ts';
import { animals } from '../data/store.ts';
import { ListCard } from '../parts/list-card.tsx';
import { Rows } from '../parts/rows.tsx';
import { ANIMALS, routeHref } from '../route.ts';
import { AnimalRow } from './animal-row.tsx';

/** What was removed, the latest first. */
export function RemovedView(): JSX.Element {
  return (
    <>
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Removed
        </h1>
        <a class="button head-end" href={routeHref(ANIMALS)}>
          Back to all animals
        </a>
      </div>
      <ListCard<ListedPet>
        list={animals}
        label="Removed animals"
        nouns={['animal', 'animals']}
        total={undefined}
        bar={<div class="share" />}
        rows={(pets) => <Rows items={pets} row={(pet) => <AnimalRow key={`${pet.id}`} pet={pet} />} />}
        empty={
          <div class="empty">
            <h2>Nothing was removed</h2>
            <p>A removed animal waits here until it is restored.</p>
          </div>
        }
      />
    </>
  );
}
