import type { JSX } from 'preact';
import type { Event } from '../../../../client/index.ts';
import { icon } from '../../shared/icons.tsx';
import { activity } from '../data/store.ts';
import { type Day, groupByDay } from '../parts/days.ts';
import { ListCard } from '../parts/list-card.tsx';
import { News } from '../parts/news.tsx';
import { Rows } from '../parts/rows.tsx';
import { timeOfDay } from '../parts/time.ts';
import { counted } from '../parts/wording.ts';
import { animalHref } from '../route.ts';
import { ByWhom, type ByWhomProps, eventSentence, eventShape, sharedKeyNames } from './event-words.tsx';

const NOUNS = ['change', 'changes'] as const;

/** What happened, when, and by which key, in plain words. */
export function ActivityView(): JSX.Element {
  return (
    <div class="narrow">
      <div class="page-head">
        <h1 id="view-title" tabIndex={-1}>
          Activity
        </h1>
        <News list={activity} nouns={NOUNS} />
      </div>
      <ListCard<Event>
        list={activity}
        label="Activity"
        nouns={NOUNS}
        total={undefined}
        bar={<div class="share" />}
        rows={(events) => {
          const shared = sharedKeyNames(events);
          return groupByDay(events, ({ at }) => at, activity.next.value === undefined).map((day) => (
            <DayGroup key={day.key} day={day} shared={shared} />
          ));
        }}
        empty={
          <div class="empty">
            <h2>Nothing has happened yet</h2>
            <p>
              Every change appears here: what is added, corrected, reserved, sold and removed, and by whom.
            </p>
          </div>
        }
      />
    </div>
  );
}

interface DayGroupProps {
  readonly day: Day<Event>;
  readonly shared: ReadonlySet<string>;
}

function DayGroup({ day: { title, more, items, isWhole }, shared }: DayGroupProps): JSX.Element {
  const counts = isWhole ? counted(items.length, ...NOUNS) : '';
  return (
    <section class="day" aria-label={title}>
      <div class="day-head">
        <h2>{title}</h2>
        <p>{[more, counts].filter(Boolean).join(' · ')}</p>
      </div>
      <Rows
        items={items}
        row={(event) => <EventRow key={event.id} event={event} shared={shared} />}
        total={activity.items.value?.length ?? 0}
      />
    </section>
  );
}

function EventRow({ event, shared }: ByWhomProps): JSX.Element {
  const { at, pet } = event;
  const shape = eventShape(event);
  const animal = pet ? (
    <a href={animalHref(pet.id)}>
      <bdi>{pet.name}</bdi>
    </a>
  ) : null;
  return (
    <li class="row is-event">
      <time dateTime={at}>{timeOfDay(new Date(at))}</time>
      <span class={`status ${shape}`}>{icon(shape)}</span>
      <span class="event-text">{eventSentence(event, animal)}</span>
      <span class="event-by">
        <ByWhom event={event} shared={shared} />
      </span>
    </li>
  );
}
