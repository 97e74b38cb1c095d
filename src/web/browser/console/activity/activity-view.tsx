import type { JSX } from 'preact';
import type { Event } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { animalHref, route } from '../address.ts';
import { type DayGroup, groupByDay } from '../parts/days.ts';
import { ListCard } from '../parts/list-card.tsx';
import { Rows } from '../parts/rows.tsx';
import { timeOfDay } from '../parts/time.ts';
import { Unseen } from '../parts/unseen.tsx';
import { counted, cutName } from '../parts/wording.ts';
import { ACTIVITY, routeHref } from '../route.ts';
import { shop } from '../session.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { ByWhom, type ByWhomProps, eventSentence, eventShape, sharedKeyNames } from './event-words.tsx';

const NOUNS = ['change', 'changes'] as const;

/** What happened, when, and by which key, in plain words. */
export function ActivityView(): JSX.Element {
  const list = shop().activityList;
  return (
    <>
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Activity
        </h1>
        <Unseen list={list} nouns={NOUNS} />
      </div>
      <ListCard
        list={list}
        label="Activity"
        nouns={NOUNS}
        bar={<ActivityFilters />}
        rows={() => {
          const events = list.items.value ?? [];
          const shared = sharedKeyNames(events);
          return groupByDay(events, ({ at }) => at, list.next.value === undefined).map((day) => (
            <ActivityDay key={day.key} day={day} shared={shared} />
          ));
        }}
        empty={<Empty />}
      />
    </>
  );
}

interface ActivityDayProps {
  readonly day: DayGroup<Event>;
  readonly shared: ReadonlySet<string>;
}

function ActivityDay({ day: { title, more, items, isWhole }, shared }: ActivityDayProps): JSX.Element {
  const counts = isWhole ? counted(items.length, ...NOUNS) : '';
  return (
    <>
      <div class="day">
        <h2>{title}</h2>
        <span class="quiet">{[more, counts].filter(Boolean).join(' · ')}</span>
      </div>
      <Rows
        items={items}
        row={(event) => <EventRow key={event.id} event={event} shared={shared} />}
        total={shop().activityList.ids.value?.length ?? 0}
      />
    </>
  );
}

function EventRow({ event, shared }: ByWhomProps): JSX.Element {
  const { at, pet } = event;
  const shape = eventShape(event);
  const animal = pet ? (
    <a href={animalHref(pet.id)}>
      <bdi title={pet.name}>{cutName(pet.name)}</bdi>
    </a>
  ) : null;
  return (
    <li class={`event ${shape}`}>
      <time dateTime={at}>{timeOfDay(new Date(at))}</time>
      {icon(shape)}
      <span class="event-text">{eventSentence(event, animal)}</span>
      <span class="key cut">
        <ByWhom event={event} shared={shared} />
      </span>
    </li>
  );
}

function Empty(): JSX.Element {
  const current = route.value;
  const isFiltered =
    current.view === 'activity' &&
    [current.kind, current.keyId, current.day].some((one) => one !== undefined);
  return isFiltered ? (
    <div class="empty">
      <h2>No such change</h2>
      <p>Nothing that is still on record matches all of the filters.</p>
      <a class="button" href={routeHref(ACTIVITY)}>
        Show everything
      </a>
    </div>
  ) : (
    <div class="empty">
      <h2>Nothing has happened yet</h2>
      <p>Every change appears here: what is added, edited, reserved, sold and removed, and by whom.</p>
    </div>
  );
}
