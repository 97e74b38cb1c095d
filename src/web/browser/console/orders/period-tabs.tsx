import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { replaceRoute } from '../address.ts';
import { isDay } from '../parts/calendar.ts';
import { type DayRange, type Period, periodFrom, rangeOf } from '../parts/period.ts';
import { presentDay } from '../parts/time.ts';
import { ORDERS, routeHref } from '../route.ts';

const named = [
  ['today', 'Today'],
  ['yesterday', 'Yesterday'],
  ['week', 'This week'],
] as const;

/** When what is shown was sold. Each period is an address; "A date" begins with the present one. */
export function PeriodTabs({ period }: { readonly period: Period }): JSX.Element {
  return (
    <nav class="tabs" aria-label="Period">
      {named.map(([name, word]) => (
        <a
          key={name}
          class="tab"
          href={routeHref({ ...ORDERS, period: name })}
          aria-current={period === name ? 'true' : undefined}
        >
          {word}
        </a>
      ))}
      <a
        class="tab"
        href={routeHref({ ...ORDERS, period: rangeOf(period) })}
        aria-current={typeof period === 'object' ? 'true' : undefined}
      >
        {icon('calendar')}A date
      </a>
    </nav>
  );
}

/** One day, or from one day to another. A single day stays one when its date changes. */
export function PeriodDates({ range: { from, to } }: { readonly range: DayRange }): JSX.Element {
  const choose = (day: string, range: DayRange) => {
    if (!isDay(day)) return;
    // The reversed order is understood; what would be too long begins anew with the chosen day.
    const period = periodFrom(`${range.from}..${range.to}`) ?? { from: day, to: day };
    replaceRoute({ ...ORDERS, period });
  };
  return (
    <div class="dates">
      <DateField
        label="From"
        value={from}
        choose={(day) => choose(day, { from: day, to: from === to ? day : to })}
      />
      <DateField label="to" value={to} choose={(day) => choose(day, { from, to: day })} />
    </div>
  );
}

interface DateFieldProps {
  readonly label: string;
  readonly value: string;
  readonly choose: (day: string) => void;
}

function DateField({ label, value, choose }: DateFieldProps): JSX.Element {
  return (
    <label>
      {label}
      <input
        class="input date"
        type="date"
        value={value}
        max={presentDay()}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </label>
  );
}
