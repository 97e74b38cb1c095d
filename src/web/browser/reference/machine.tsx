import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Call, curlSnippet, fetchSnippet } from './call/call.ts';
import { Code, CodeCard, statusTitle } from './code.tsx';
import {
  type Header,
  jsonOf,
  mediaExamples,
  type OpenApi,
  type Operation,
  type Response,
  resolve,
} from './document.ts';
import { print } from './exact-json.ts';

/**
 * Holds call and answer beside the text. The style sheet keeps it in view while the text scrolls: as a whole if it fits into the window,
 * otherwise it scrolls with the page up to its end. It needs the height for that. The column does not scroll itself.
 */
export function Machine({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const machine = root.current;
    if (!machine) return undefined;
    const observer = new ResizeObserver(() => tellHeight(machine));
    observer.observe(machine);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="machine" ref={root}>
      {children}
    </div>
  );
}

const tellHeight = (machine: HTMLElement): void =>
  machine.style.setProperty('--height', `${machine.offsetHeight}px`);

/**
 * Shows a part that has just appeared. Where it is out of view even though its column follows the text, the page scrolls, as if the
 * column did not follow: otherwise a browser scrolls to where the part was.
 */
export function bringIntoView(part: HTMLElement): void {
  const machine = part.closest<HTMLElement>('.machine');
  if (!machine) return;
  tellHeight(machine);
  const { top, bottom } = part.getBoundingClientRect();
  if (top >= 0 && bottom <= innerHeight) return;
  machine.style.position = 'static';
  part.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  machine.style.position = '';
}

interface SnippetsProps {
  readonly call: Call;
  /** Options of curl that show what the text is about, such as the headers of the answer. */
  readonly flags?: readonly string[];
  readonly id: string;
}

/** The same call in two languages, ready to paste. */
export function Snippets({ call, flags = [], id }: SnippetsProps): JSX.Element {
  const chosen = useSignal(0);
  const isCurl = chosen.value === 0;
  const name = isCurl ? 'curl' : 'fetch';
  const text = isCurl ? curlSnippet(call, flags) : fetchSnippet(call);
  return (
    <CodeCard
      title="Call"
      copies={{ text, label: `${name} snippet of ${id}` }}
      choice={{
        label: 'Language',
        // A stream has no end that the snippet in JavaScript could wait for.
        names: flags.includes('-N') ? ['curl'] : ['curl', 'fetch'],
        chosen: chosen.value,
        choose: (index) => (chosen.value = index),
      }}
    >
      <Code text={text} label={`${id} as ${name}`} />
    </CodeCard>
  );
}

const MOST = 4;
/** Errors that say something about the operation, and not about the connection or the client. */
const TELLING = /^(?:2|404|409|412|422)/;

interface ExampleAnswerProps {
  readonly document: OpenApi;
  readonly operation: Operation;
}

/** What the service answers: a success, and the errors that belong to the operation. */
export function ExampleAnswer({ document, operation }: ExampleAnswerProps): JSX.Element | null {
  const { operationId: id, responses = {} } = operation;
  const examples = Object.entries(responses)
    .filter(([status]) => TELLING.test(status))
    .map(([status, response]) => ({
      status,
      ...answerExample(document, resolve<Response>(document, response)),
    }))
    .slice(0, MOST);
  const chosen = useSignal(0);
  const shown = examples[chosen.value];
  if (!shown) return null;
  const { status, text, above } = shown;
  return (
    <CodeCard
      title={statusTitle(status)}
      copies={{ text, label: `example answer of ${id}` }}
      choice={{
        label: 'Status',
        names: examples.map((one) => one.status),
        chosen: chosen.value,
        choose: (index) => (chosen.value = index),
      }}
    >
      {text === '' ? <p>No body</p> : <Code text={text} label={`Example answer of ${id}`} above={above} />}
    </CodeCard>
  );
}

/** The body of an answer, and the link to the next page where there can be one. Without a body the text is empty. */
function answerExample(document: OpenApi, { content, headers }: Response): { text: string; above: string } {
  const media = jsonOf(content);
  const [example] = media ? mediaExamples(media) : [];
  const link = headers?.Link && resolve<Header>(document, headers.Link).example;
  const leads = typeof link === 'string' && link.includes('rel="next"');
  return { text: example ? print(example[1]) : '', above: leads ? `Link: ${link}` : '' };
}
