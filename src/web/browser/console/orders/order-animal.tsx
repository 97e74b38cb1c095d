import type { JSX } from 'preact';
import type { Order } from '../../../../client/index.ts';
import { animalHref } from '../address.ts';
import { Tag } from '../parts/tag.tsx';
import { short } from '../parts/wording.ts';
import { may, shop } from '../session.ts';

/** The animal of an order, in its row. One that was removed keeps its name. The whole row opens its panel. */
export function OrderAnimal({ petId }: Pick<Order, 'petId'>): JSX.Element {
  const animal = shop().cache.animals.get(petId);
  return (
    <>
      {animal ? <Tag categoryId={animal.categoryId} /> : <span class="tag blank" aria-hidden="true" />}
      <a class="row-name" href={animalHref(petId)}>
        <bdi class="name" title={animal?.name}>
          {animal?.name ?? nameless(petId)}
        </bdi>
        <span class="below">
          <span class="id">{`${petId}`}</span>
          {animal?.removed ? <span class="gone">removed</span> : null}
        </span>
      </a>
    </>
  );
}

/** An animal whose name is not known: not yet, not to this key, or not any more. */
function nameless(petId: bigint): string {
  return may('pets:read') && !shop().cache.animals.isKnown(petId) ? '…' : `Animal ${petId}`;
}

/** The animal of an order in the name of a button: `“Rex”`. */
export const animalWord = ({ petId }: Pick<Order, 'petId'>): string =>
  short(shop().cache.animals.get(petId)?.name ?? `animal ${petId}`);
