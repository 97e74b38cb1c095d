import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { icon } from '../../shared/icons.tsx';
import { replaceRoute, route } from '../address.ts';
import { addDays, type Day, isDay, shortDateWithWeekday } from '../parts/calendar.ts';
import { presentDay } from '../parts/time.ts';
import { ACTIVITY, type ActivityKind, activityKinds, type Route } from '../route.ts';
import { shop } from '../session.ts';
import { seenKeys } from './seen-keys.ts';

type ActivityRoute = Extract<Route, { readonly view: 'activity' }>;

const kindWords: Readonly<Record<ActivityKind, string>> = {
  sales: 'Sold and taken back',
  reservations: 'Reservations and notes',
  animals: 'Animals added and edited',
  categories: 'Categories',
};

const filtersOf = (current: Route): ActivityRoute => (current.view === 'activity' ? current : ACTIVITY);
const filter = (change: Partial<ActivityRoute>): void =>
  replaceRoute({ ...filtersOf(route.peek()), animal: undefined, ...change });

/** Who, what and when. */
export function ActivityFilters(): JSX.Element {
  const { kind, keyId, day } = filtersOf(route.value);
  const keys = seenKeys(shop(), keyId);
  const isShared = (name: string) => keys.filter((key) => key.name === name).length > 1;
  return (
    <div class="bar">
      <div class="filters three">
        <Select label="Who" value={keyId ?? ''} choose={(id) => filter({ keyId: id || undefined })}>
          <option value="">Everyone</option>
          {keys.map(({ id, name }) => (
            <option key={id} value={id}>
              {isShared(name) ? `${name} (key ${id})` : name}
            </option>
          ))}
        </Select>
        <Select
          label="What"
          value={kind ?? ''}
          choose={(name) => filter({ kind: activityKinds.find((one) => one === name) })}
        >
          <option value="">Everything</option>
          {activityKinds.map((one) => (
            <option key={one} value={one}>
              {kindWords[one]}
            </option>
          ))}
        </Select>
        <When day={day} />
      </div>
    </div>
  );
}

/** The option for a date that has not been chosen yet. */
const A_DATE = 'date';

/** One day: today, yesterday, or one from the calendar. */
function When({ day }: { readonly day: Day | undefined }): JSX.Element {
  const isChoosing = useSignal(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isChoosing.value) input.current?.focus();
  }, [isChoosing.value]);
  const today = presentDay();
  const yesterday = addDays(today, -1);
  const isOther = day !== undefined && day !== today && day !== yesterday;
  const choose = (value: string) => {
    isChoosing.value = value === A_DATE;
    if (value !== A_DATE) filter({ day: value || undefined });
  };
  return (
    <>
      <Select label="When" value={isChoosing.value ? A_DATE : (day ?? '')} choose={choose}>
        <option value="">Any day</option>
        <option value={today}>Today</option>
        <option value={yesterday}>Yesterday</option>
        {isOther ? <option value={day}>{shortDateWithWeekday(day)}</option> : null}
        <option value={A_DATE}>A date…</option>
      </Select>
      {isChoosing.value || isOther ? (
        <input
          ref={input}
          class="input date"
          type="date"
          aria-label="Date"
          value={day ?? ''}
          max={today}
          onChange={({ currentTarget: { value } }) => {
            if (isDay(value)) filter({ day: value });
          }}
        />
      ) : null}
    </>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choose: (value: string) => void;
  readonly children: ComponentChildren;
}

function Select({ label, value, choose, children }: SelectProps): JSX.Element {
  return (
    <div class={`select ${value === '' ? '' : 'on'}`}>
      <select
        class="input"
        aria-label={label}
        value={value}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {children}
      </select>
      {icon('down')}
    </div>
  );
}
