import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Code, CodeCard, statusTitle } from '../code.tsx';
import { indent } from '../exact-json.ts';
import { bringIntoView } from '../machine.tsx';
import type { Outcome } from './call-state.ts';

interface AnswerProps {
  readonly outcome: Outcome;
  readonly id: string;
  /** Sends the call for the next page. */
  readonly next: (() => void) | undefined;
}

/** What came back: status, time, headers, and the body in lines. What is copied is the body as it came. */
export function AnswerView({ outcome, id, next }: AnswerProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  // Below a long form, the answer may be out of sight.
  useEffect(() => {
    if (root.current) bringIntoView(root.current);
  }, [outcome]);
  const { status, ms, headers, text } = outcome;
  const [number = '', ...name] = status.split(' ');
  const facts = [
    `${headers.length} headers`,
    `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`,
    `${new TextEncoder().encode(text).length.toLocaleString('en')} bytes`,
  ];
  return (
    <div class="answer" ref={root}>
      <CodeCard title={statusTitle(number, name.join(' '))} copies={{ text, label: `answer of ${id}` }}>
        <details>
          <summary>{facts.join(' · ')}</summary>
          <Code
            text={headers.map(([header, value]) => `${header}: ${value}`).join('\n')}
            label="Headers of the answer"
          />
        </details>
        {text === '' ? <p>No body</p> : <Code text={indent(text)} label="Body of the answer" />}
      </CodeCard>
      {next ? (
        <button type="button" class="button" onClick={next}>
          Next page
        </button>
      ) : null}
    </div>
  );
}
