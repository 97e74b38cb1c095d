import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Element, h } from '../shared/element.ts';
import type { Outcome } from './call-state.ts';
import { CopyButton } from './copy-button.ts';
import { indent } from './exact-json.ts';

/** What came back: status, time, headers, and the text of the body as it is. */
export function AnswerView({ outcome, id }: { readonly outcome: Outcome; readonly id: string }): Element {
  const indented = useSignal(false);
  const { status, ok, ms, headers, text } = outcome;
  return h(
    'div',
    { class: 'answer' },
    h(
      'p',
      { class: 'answer-line' },
      h('strong', { class: ok ? 'answer-ok' : 'answer-error' }, status),
      h('span', null, `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`),
      h('span', null, `${new TextEncoder().encode(text).length.toLocaleString('en')} bytes`),
    ),
    h(
      'details',
      null,
      h('summary', null, `${headers.length} headers`),
      h(
        'pre',
        { class: 'code', tabIndex: 0, 'aria-label': 'Headers of the answer' },
        headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
      ),
    ),
    h(
      'div',
      { class: 'snippet-head' },
      h(
        'button',
        {
          type: 'button',
          class: 'button small',
          'aria-pressed': indented.value,
          onClick: () => (indented.value = !indented.value),
        },
        indented.value ? 'As received' : 'Indent',
      ),
      h(CopyButton, { text, label: `answer of ${id}` }),
    ),
    h(
      'pre',
      { class: 'code wrap', tabIndex: 0, 'aria-label': 'Body of the answer' },
      breakable(indented.value ? indent(text) : text),
    ),
  );
}

/** The same text, which breaks between values rather than within a number. */
const breakable = (text: string): ComponentChildren =>
  text.split(/(?<=,)(?=["{[])/).flatMap((part, index) => (index === 0 ? [part] : [h('wbr', null), part]));
