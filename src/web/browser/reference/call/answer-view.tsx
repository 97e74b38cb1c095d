import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { statusTitle } from '../code/code-card.tsx';
import { Code } from '../code/code-view.tsx';
import { CopyButton } from '../code/copy-button.tsx';
import { indent } from '../exact-json.ts';
import type { Outcome } from './call-state.ts';
import { bringIntoView } from './pane.tsx';

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
  useEffect(() => {
    if (root.current) bringIntoView(root.current);
  }, [outcome]);
  const { status, ms, headers, text } = outcome;
  const [number = '', ...name] = status.split(' ');
  return (
    <div class="answer" ref={root}>
      <div class="code-card">
        <div class="code-head">
          <span class="code-title">{statusTitle(number, name.join(' '))}</span>
          <button
            type="button"
            class="segment"
            aria-pressed={indented.value}
            onClick={() => (indented.value = !indented.value)}
          >
            Indent
          </button>
          <CopyButton text={text} label={`answer of ${id}`} />
        </div>
        <details>
          <summary class="answer-line">
            <span>{`${headers.length} headers`}</span>
            <span>{`${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`}</span>
            <span>{`${new TextEncoder().encode(text).length.toLocaleString('en')} bytes`}</span>
          </summary>
          <Code
            text={headers.map(([header, value]) => `${header}: ${value}`).join('\n')}
            language="script"
            label="Headers of the answer"
          />
        </details>
        <Code text={indented.value ? indent(text) : text} language="script" label="Body of the answer" />
      </div>
      {next ? (
        <button type="button" class="button small" onClick={next}>
          Next page
        </button>
      ) : null}
    </div>
  );
}
