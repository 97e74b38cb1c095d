import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { icon } from '../../shared/icons.tsx';
import { animalHref, route } from '../address.ts';
import { restore } from '../data/actions/removal.ts';
import type { Animal } from '../data/cache/animal.ts';
import { dayOf, daysBetween } from '../parts/calendar.ts';
import { keepFocus } from '../parts/keep-focus.ts';
import { RowState } from '../parts/row-state.tsx';
import { CategoryName, Tag } from '../parts/tag.tsx';
import { moment, presentDay, shortMoment } from '../parts/time.ts';
import { short } from '../parts/wording.ts';
import { isOffline, may, shop } from '../session.ts';

/** One removed animal: when, by whom and why. Once it is restored, the row stays until the person leaves. */
export function RemovedRow({ id }: { readonly id: bigint }): JSX.Element | null {
  const { cache, outcomes } = shop();
  const animal = cache.animals.get(id);
  const removal = useRef(animal?.removed);
  removal.current = animal?.removed ?? removal.current;
  // After Restore its place stays empty until the pointer leaves the row: a second click does no harm.
  const isSpent = useSignal(false);
  if (!animal) return null;
  const place = `animal-${id}` as const;
  const outcome = outcomes.at(place);
  const isRemoved = animal.removed !== undefined;
  const isNotDone = outcome !== undefined && outcome.kind !== 'done';
  const isChosen = route.value.animal === id;
  const { at, reason } = removal.current ?? {};
  const by = cache.latestEvent('pet.removed', id)?.keyName;
  const press = (event: MouseEvent) => {
    isSpent.value = true;
    keepFocus(event);
    void restore(shop(), animal);
  };
  return (
    <li class={`row is-removed ${isChosen ? 'chosen' : ''}`} onPointerLeave={() => (isSpent.value = false)}>
      <Tag categoryId={animal.categoryId} />
      <a class="row-name" href={animalHref(id)} aria-current={isChosen ? 'true' : undefined}>
        <bdi class="name" title={animal.name}>
          {animal.name}
        </bdi>
        <span class="id">{`${id}`}</span>
      </a>
      <span class="row-category">
        <CategoryName categoryId={animal.categoryId} />
      </span>
      {!isRemoved || isNotDone ? (
        <RowState place={place} status={undefined}>
          {isNotDone ? null : restoredMark()}
        </RowState>
      ) : (
        <Reason text={reason} />
      )}
      <span class="two">
        {at === undefined ? null : <span>{removedAt(at)}</span>}
        {by === undefined ? null : (
          <span class="quiet">
            by <bdi>{by}</bdi>
          </span>
        )}
      </span>
      <span class="row-action">
        {isRemoved && !isSpent.value && isRestorable(animal) ? (
          <button
            type="button"
            class="button small"
            aria-label={`Restore ${short(animal.name)}`}
            onClick={press}
          >
            Restore
          </button>
        ) : null}
      </span>
    </li>
  );
}

/** `today at 15:08`, `yesterday at 17:02` or `13 Nov, 11:20`: always on one line. */
const removedAt = (iso: string): string =>
  daysBetween(dayOf(new Date(iso)), presentDay()) < 2 ? moment(iso) : shortMoment(iso);

const isRestorable = ({ id }: Animal): boolean =>
  may('pets:write') && !isOffline() && !shop().outcomes.isBusy(`animal-${id}`);

const restoredMark = (): JSX.Element => (
  <span class="status available">
    {icon('available')}
    Restored
  </span>
);

const Reason = ({ text }: { readonly text: string | undefined }): JSX.Element =>
  text === undefined ? (
    <span class="reason-word quiet">no reason given</span>
  ) : (
    <bdi class="reason-word" title={text}>
      {text}
    </bdi>
  );
