import { useSignal, useSignalEffect } from '@preact/signals';
import { type Element, h } from '../shared/element.ts';
import { icon } from '../shared/icons.ts';
import { slow, trouble } from './connection.ts';
import { loadedAt } from './data.ts';
import { dueAt, refreshNow } from './refresh.ts';
import { timeOfDay, troubleText } from './wording.ts';

/** Problems of the connection: what is wrong, how old the data on screen is, and a way forward. */
export function Banner(): Element {
  return h('div', { role: 'status', class: 'banner-region' }, content());
}

function content(): Element | null {
  const current = trouble.value;
  if (current) {
    const since = loadedAt.value ? ` Showing data from ${timeOfDay(loadedAt.value)}.` : '';
    const reference = current.kind === 'failed' && current.requestId ? ` Request ${current.requestId}.` : '';
    return h(
      'div',
      { class: 'banner warning' },
      icon('warning'),
      h(
        'p',
        null,
        h('strong', null, troubleText[current.kind]),
        since,
        reference,
        ' ',
        h(Countdown, { kind: current.kind }),
      ),
      h('button', { type: 'button', class: 'button small', onClick: refreshNow }, 'Try now'),
    );
  }
  if (!slow.value) return null;
  return h(
    'div',
    { class: 'banner' },
    h('span', { class: 'spinner' }),
    h('p', null, 'The service is slow to answer. Still waiting…'),
  );
}

/** The seconds until the next attempt; silent for screen readers, which would read every one of them. */
function Countdown({ kind }: { readonly kind: string }): Element {
  const seconds = useSignal(0);
  useSignalEffect(() => {
    const tick = () => (seconds.value = Math.max(0, Math.ceil((dueAt.value - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 500);
    return () => clearInterval(timer);
  });
  if (kind === 'offline') return h('span', null, 'Updates resume when you are back online.');
  return h(
    'span',
    { 'aria-hidden': 'true' },
    seconds.value > 0 ? `Next try in ${seconds.value} s.` : 'Trying again…',
  );
}
