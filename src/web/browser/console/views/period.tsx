import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import {
  type DayRange,
  fileNameOf,
  isDay,
  type Period,
  periodText,
  presentDay,
  problemWithRange,
  rangeOf,
} from '../data/calendar.ts';
import { gatherSales } from '../data/csv.ts';
import { CsvButton } from '../parts/csv-button.tsx';
import { listAddress, ORDERS, replaceRoute, routeHref } from '../route.ts';
import { shop } from '../session.ts';

interface PeriodBarProps {
  readonly period: Period;
  readonly title: string;
  readonly about: string;
}

/** Chooses the period of the sales. Each period is an address; Dates begins with the present one. */
export function PeriodBar({ period, title, about }: PeriodBarProps): JSX.Element {
  const tab = (to: Period, word: string, isCurrent = period === to) => (
    <a href={routeHref({ ...ORDERS, period: to })} aria-current={isCurrent ? 'true' : undefined}>
      {word}
    </a>
  );
  return (
    <div class="bar">
      <h2 class="state sold">{title}</h2>
      {about === '' ? null : <span class="quiet">{about}</span>}
      <nav class="tabs" aria-label="Period">
        {tab('today', 'Today')}
        {tab('week', 'This week')}
        {tab(rangeOf(period), 'Dates', typeof period === 'object')}
      </nav>
      {typeof period === 'object' ? <Dates range={period} /> : null}
      <CsvButton
        of={listAddress.value}
        fileName={() => fileNameOf('sales', period)}
        gather={(gathering) => gatherSales(shop(), period, gathering)}
      />
    </div>
  );
}

/** The first and the last day. They stay as they were typed; the list and the address follow as soon as they are a period. */
function Dates({ range }: { readonly range: DayRange }): JSX.Element {
  const id = useId();
  const typed = useSignal(range);
  const isLeft = useSignal(true);
  // An address from elsewhere, such as by Back, shows in the fields. Our own does not: something newer may have been typed.
  const ours = useRef(periodText(range));
  const address = periodText(range);
  // In a layout effect: one that runs after the next digit would take the address of the digit before for one from elsewhere.
  useLayoutEffect(() => {
    if (address !== ours.current) typed.value = range;
    ours.current = address;
  }, [address]);
  const change = (part: Partial<DayRange>) => {
    const next = { ...typed.peek(), ...part };
    typed.value = next;
    // A field that is being typed in may not be a day yet, which is not an error.
    isLeft.value = false;
    if (problemWithRange(next.from, next.to) !== undefined) return;
    ours.current = periodText(next);
    replaceRoute({ ...ORDERS, period: next });
  };
  const { from, to } = typed.value;
  const isTold = isLeft.value || (isDay(from) && isDay(to));
  const problem = isTold ? problemWithRange(from, to) : undefined;
  const field = (label: string, name: keyof DayRange) => (
    <input
      class="input"
      type="date"
      aria-label={label}
      aria-invalid={problem !== undefined}
      aria-describedby={id}
      max={presentDay()}
      value={typed.value[name]}
      onChange={({ currentTarget: { value } }) => change({ [name]: value })}
      onBlur={() => (isLeft.value = true)}
    />
  );
  return (
    <>
      {field('From', 'from')}
      {field('To', 'to')}
      <small id={id} class="problem" role="alert">
        {problem}
      </small>
    </>
  );
}
