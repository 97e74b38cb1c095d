import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import type { FailureKind } from '../data/connection.ts';
import { refreshDueAt, refreshNow, shop } from '../session.ts';
import { timeOfDay } from './time.ts';
import { failureText } from './wording.ts';

/** Problems of the connection, over the bottom of the page: what is wrong, how old the data is, and a way forward. */
export function Strip(): JSX.Element {
  return (
    <div role="status" class="strip-region">
      {content()}
    </div>
  );
}

function content(): JSX.Element | null {
  const { api, loadedAt } = shop();
  const { failure, isSlow } = api.connection;
  const current = failure.value;
  if (current) {
    const since = loadedAt.value ? ` What you see is from ${timeOfDay(loadedAt.value)}.` : '';
    const reference = current.kind === 'failed' && current.requestId ? ` Request ${current.requestId}.` : '';
    return (
      <div class="strip">
        {icon(current.kind === 'offline' ? 'offline' : 'warning')}
        <p>
          <strong>{failureText[current.kind]}</strong>
          {since}
          {reference} <Countdown kind={current.kind} />
        </p>
        <button type="button" class="button small" onClick={() => void refreshNow()}>
          Try now
        </button>
      </div>
    );
  }
  if (!isSlow.value) return null;
  return (
    <div class="strip">
      {icon('spin')}
      <p>The service is slow to answer. Still waiting…</p>
    </div>
  );
}

/** The seconds until the next attempt; silent for screen readers, which would read every one of them. */
function Countdown({ kind }: { readonly kind: FailureKind }): JSX.Element {
  const seconds = useSignal(0);
  useSignalEffect(() => {
    const dueAt = refreshDueAt();
    const tick = () => (seconds.value = Math.max(0, Math.ceil((dueAt - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  });
  if (kind === 'offline') return <span>Updates resume when you are back online.</span>;
  return (
    <span aria-hidden="true">{seconds.value > 0 ? `Next try in ${seconds.value} s.` : 'Trying again…'}</span>
  );
}
