import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { slow, trouble } from '../data/connection.ts';
import { dueAt, refreshNow } from '../data/refresh.ts';
import { loadedAt } from '../data/store.ts';
import { timeOfDay } from './time.ts';
import { troubleText } from './wording.ts';

/** Problems of the connection, over the bottom of the page: what is wrong, how old the data is, and a way forward. */
export function Strip(): JSX.Element {
  return (
    <div role="status" class="strip-region">
      {content()}
    </div>
  );
}

function content(): JSX.Element | null {
  const current = trouble.value;
  if (current) {
    const since = loadedAt.value ? ` You see the state of ${timeOfDay(loadedAt.value)}.` : '';
    const reference = current.kind === 'failed' && current.requestId ? ` Request ${current.requestId}.` : '';
    return (
      <div class="strip">
        {icon('warning')}
        <p>
          <strong>{troubleText[current.kind]}</strong>
          {since}
          {reference} <Countdown kind={current.kind} />
        </p>
        <button type="button" class="button small" onClick={refreshNow}>
          Try now
        </button>
      </div>
    );
  }
  if (!slow.value) return null;
  return (
    <div class="strip">
      <span class="spinner" />
      <p>The service is slow to answer. Still waiting…</p>
    </div>
  );
}

/** The seconds until the next attempt; silent for screen readers, which would read every one of them. */
function Countdown({ kind }: { readonly kind: string }): JSX.Element {
  const seconds = useSignal(0);
  useSignalEffect(() => {
    const tick = () => (seconds.value = Math.max(0, Math.ceil((dueAt.value - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  });
  if (kind === 'offline') return <span>Updates resume when you are back online.</span>;
  return (
    <span aria-hidden="true">{seconds.value > 0 ? `Next try in ${seconds.value} s.` : 'Trying again…'}</span>
  );
}
