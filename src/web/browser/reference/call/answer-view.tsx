import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { indent } from '../exact-json.ts';
import type { Outcome } from './call-state.ts';
import { CopyButton } from './copy-button.tsx';

interface AnswerProps {
  readonly outcome: Outcome;
  readonly id: string;
  /** Sends the call for the next page. */
  readonly next: (() => void) | undefined;
}

/** What came back: status, time, headers, and the text of the body as it is. */
export function AnswerView({ outcome, id, next }: AnswerProps): JSX.Element {
  const indented = useSignal(false);
  const root = useRef<HTMLDivElement>(null);
  // Below a long form, an answer out of sight looks like none.
  useEffect(() => root.current?.scrollIntoView({ block: 'nearest' }), [outcome]);
  const { status, ok, ms, headers, text } = outcome;
  return (
    <div class="answer" ref={root}>
      <p class="answer-line">
        <strong class={ok ? 'answer-ok' : 'answer-error'}>{status}</strong>
        <span>{`${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`}</span>
        <span>{`${new TextEncoder().encode(text).length.toLocaleString('en')} bytes`}</span>
      </p>
      <details>
        <summary>{`${headers.length} headers`}</summary>
        <pre class="code" tabIndex={0} aria-label="Headers of the answer">
          {headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
        </pre>
      </details>
      <div class="snippet-head">
        <button
          type="button"
          class="button small"
          aria-pressed={indented.value}
          onClick={() => (indented.value = !indented.value)}
        >
          {indented.value ? 'As received' : 'Indent'}
        </button>
        {next ? (
          <button type="button" class="button small" onClick={next}>
            Next page
          </button>
        ) : null}
        <CopyButton text={text} label={`answer of ${id}`} />
      </div>
      <pre class="code wrap" tabIndex={0} aria-label="Body of the answer">
        {breakable(indented.value ? indent(text) : text)}
      </pre>
    </div>
  );
}

/** The same text, which breaks between values rather than within a number. */
const breakable = (text: string): ComponentChildren =>
  text.split(/(?<=,)(?=["{[])/).flatMap((part, index) => (index === 0 ? [part] : [<wbr />, part]));
