import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Event } from '../../../../client/index.ts';
import { type Day, dayOf, fullDate, isDay, presentDay, timeOfDay } from '../data/calendar.ts';
import { MOST_ROWS } from '../data/list.ts';
import { count, counted, short } from '../data/text.ts';
import { authorWord, eventSentence, eventShape } from '../parts/event-words.tsx';
import { DayRows, ListCard, PageHead, Unseen } from '../parts/list.tsx';
import { Row } from '../parts/row.tsx';
import { groupByDay } from '../parts/words.ts';
import { ACTIVITY, animalHref, type RouteOf, replaceRoute, route, routeHref } from '../route.ts';
import { shop } from '../session.ts';

const NOUNS = ['change', 'changes'] as const;

type ActivityRoute = RouteOf<'activity'>;
const current = (): ActivityRoute =>
  route.value.view === 'activity' ? (route.value as ActivityRoute) : ACTIVITY;

/** What has happened, when, and by which key, in plain words. */
export function ActivityView(): JSX.Element {
  const list = shop().activityList;
  const keys = useKeyNames();
  const number = list.ids.value?.length ?? 0;
  return (
    <>
      <PageHead title="Activity">
        <Unseen lists={[list]} nouns={NOUNS} />
      </PageHead>
      <ListCard
        list={list}
        label="Activity"
        bar={<Filters keys={keys} />}
        rows={() => <Days />}
        empty={<Empty keys={keys} />}
        end={number === 0 ? undefined : <End number={number} />}
      />
    </>
  );
}

/**
 * The names of the keys to filter by, by id: those in the list of keys, those seen in the activity, and the one in the address. Keys that
 * a filter hides from the activity can still be chosen.
 */
function useKeyNames(): ReadonlyMap<string, string> {
  const seen = useRef(new Map<string, string>()).current;
  const { activityList, keyList } = shop();
  // The latest come last, so that a key has its present name.
  for (const { keyId, keyName } of (activityList.items.value ?? []).toReversed())
    if (keyId !== null && keyName !== null) seen.set(keyId, keyName);
  for (const { id, name } of keyList.items.value ?? []) seen.set(id, name);
  const { keyId } = current();
  const isUnknown = keyId !== undefined && !seen.has(keyId);
  const all = [...seen, ...(isUnknown ? [[keyId, `Key ${keyId}`] as const] : [])];
  return new Map(all.toSorted(([, one], [, other]) => one.localeCompare(other, 'en', { numeric: true })));
}

function Filters({ keys }: KeysProps): JSX.Element {
  const { keyId, day } = current();
  const filter = (change: Partial<Pick<ActivityRoute, 'keyId' | 'day'>>) =>
    replaceRoute({ ...ACTIVITY, keyId, day, ...change });
  const names = [...keys.values()];
  return (
    <div class="bar">
      <select
        class="input"
        aria-label="Who"
        value={keyId ?? ''}
        onChange={({ currentTarget }) => filter({ keyId: currentTarget.value || undefined })}
      >
        <option value="">Everyone</option>
        {[...keys].map(([id, name]) => (
          <option key={id} value={id}>
            {names.filter((one) => one === name).length > 1 ? `${name} (key ${id})` : name}
          </option>
        ))}
      </select>
      <input
        class="input"
        type="date"
        aria-label="Day"
        max={presentDay()}
        value={day ?? ''}
        onChange={({ currentTarget: { value, validity } }) => {
          // A day that is half typed is empty but not valid. It must not remove the filter.
          if (isDay(value)) filter({ day: value });
          else if (value === '' && !validity.badInput) filter({ day: undefined });
        }}
        onBlur={({ currentTarget }) => {
          // An unfinished day does not filter, and is reset.
          const { value, validity } = currentTarget;
          if (validity.badInput || value !== (day ?? '')) currentTarget.value = day ?? '';
        }}
      />
    </div>
  );
}

function Days(): JSX.Element {
  const { items, unseenItems, next } = shop().activityList;
  const days = groupByDay(items.value ?? [], ({ at }) => at);
  const numberOn = (day: Day) =>
    [...(items.value ?? []), ...unseenItems.value].filter(({ at }) => dayOf(new Date(at)) === day).length;
  return (
    <>
      {days.map(({ day, title, more, items: ofDay }, index) => {
        // More of the last day may follow the last row.
        const isWhole = next.value === undefined || index < days.length - 1;
        return (
          <DayRows
            key={day}
            of="activity"
            heading="h2"
            title={title}
            facts={[more, isWhole ? counted(numberOn(day), ...NOUNS) : '']}
          >
            {ofDay.map((event) => (
              <EventRow key={event.id} event={event} />
            ))}
          </DayRows>
        );
      })}
    </>
  );
}

function EventRow({ event }: { readonly event: Event }): JSX.Element {
  const { at, pet, keyId, keyName } = event;
  const animal = pet ? (
    <a href={animalHref(pet.id)}>
      <bdi>{pet.name}</bdi>
    </a>
  ) : null;
  return (
    <Row
      lead={
        <time class="quiet" dateTime={at}>
          {timeOfDay(new Date(at))}
        </time>
      }
      name={
        <span class={`state ${eventShape(event)}`}>
          <span>{eventSentence(event, animal)}</span>
        </span>
      }
      cells={
        <span class="quiet" title={keyId === null ? undefined : `Key ${keyId}`}>
          {authorWord(keyName)}
        </span>
      }
    />
  );
}

/** `17 changes`; at the limit of rows, how to find the earlier ones. */
function End({ number }: { readonly number: number }): JSX.Element {
  const isCut = shop().activityList.next.value !== undefined && number >= MOST_ROWS;
  return (
    <>
      {isCut ? `The latest ${count(number)} changes. Choose a day to see others.` : counted(number, ...NOUNS)}
    </>
  );
}

interface KeysProps {
  readonly keys: ReadonlyMap<string, string>;
}

function Empty({ keys }: KeysProps): JSX.Element {
  const { keyId, day } = current();
  if (keyId === undefined && day === undefined)
    return (
      <div class="empty">
        <h2>Nothing has happened yet</h2>
        <p>Every change appears here: what is added, edited, reserved, sold and removed, and by whom.</p>
      </div>
    );
  const by = keyId === undefined ? '' : ` by ${short(keys.get(keyId) ?? '')}`;
  const on = day === undefined ? '' : ` on ${fullDate(day)}`;
  return (
    <div class="empty">
      <h2>{`No changes${by}${on}`}</h2>
      <a class="button" href={routeHref(ACTIVITY)}>
        Show all changes
      </a>
    </div>
  );
}
