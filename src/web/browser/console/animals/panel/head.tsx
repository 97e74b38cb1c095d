import type { JSX } from 'preact';
import { hungTag } from '../../../shared/icons.tsx';
import { type Animal, shownStatus } from '../../data/cache/animal.ts';
import { OfferButton, outcomeMark } from '../../parts/row-state.tsx';
import { statusMark } from '../../parts/status.tsx';
import { CategoryName, Tag } from '../../parts/tag.tsx';
import { shop } from '../../session.ts';

/** The animal at a glance: its tag on the ring, its name, and status, category and id. */
export const PanelHead = ({ animal }: { readonly animal: Animal }): JSX.Element => (
  <div class="panel-head">
    {hungTag(<Tag categoryId={animal.categoryId} />)}
    <div>
      <h2 title={animal.name}>
        <bdi>{animal.name}</bdi>
      </h2>
      <p class="panel-facts">
        <State animal={animal} />
        <span>
          <CategoryName categoryId={animal.categoryId} />
        </span>
        <span class="id">{`${animal.id}`}</span>
      </p>
    </div>
  </div>
);

/** The status, or what an action has led to. The Undo of a removal is the button of the panel. */
function State({ animal }: { readonly animal: Animal }): JSX.Element {
  const outcome = shop().outcomes.at(`animal-${animal.id}`);
  const offer = animal.removed && outcome?.kind === 'done' ? undefined : outcome?.offer;
  return (
    <span class="row-state">
      {outcome && outcome.kind !== 'done' ? outcomeMark(outcome) : statusMark(shownStatus(animal))}
      {offer ? <OfferButton offer={offer} /> : null}
    </span>
  );
}
