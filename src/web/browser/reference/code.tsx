import { useSignal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { tokensOf } from './tokens.ts';

interface CodeCardProps {
  readonly title: ComponentChildren;
  /** What the copy button copies, and what it is called. */
  readonly copies: { readonly text: string; readonly label: string };
  /** Which of several is shown. One alone needs no choice. */
  readonly choice?: {
    readonly label: string;
    readonly names: readonly string[];
    readonly chosen: number;
    readonly choose: (index: number) => void;
  };
  readonly children: ComponentChildren;
}

/** Something that a machine reads, with a line above that says what it is. */
export function CodeCard({ title, copies, choice, children }: CodeCardProps): JSX.Element {
  return (
    <div class="code">
      <div class="code-head">
        <span>{title}</span>
        {choice && choice.names.length > 1 ? (
          <div role="group" aria-label={choice.label}>
            {choice.names.map((name, index) => (
              <button
                key={name}
                type="button"
                aria-pressed={index === choice.chosen}
                onClick={() => choice.choose(index)}
              >
                {name}
              </button>
            ))}
          </div>
        ) : null}
        {copies.text === '' ? null : <CopyButton {...copies} />}
      </div>
      {children}
    </div>
  );
}

interface CodeProps {
  readonly text: string;
  /** What it is, for screen readers. */
  readonly label: string;
  /** Lines above it that are not part of it, such as headers. */
  readonly above?: string;
}

/** Code in colours. It never scrolls: long lines wrap. */
export const Code = ({ text, label, above = '' }: CodeProps): JSX.Element => (
  <pre role="group" aria-label={label}>
    {above === '' ? null : <span class="above">{`${above}\n\n`}</span>}
    {colored(text)}
  </pre>
);

/** A line may break after a comma: between two values rather than within a number. */
const colored = (code: string): ComponentChildren[] =>
  tokensOf(code).map(([kind, text]) => [
    kind === '' ? text : <span class={kind}>{text}</span>,
    text.endsWith(',') ? <wbr /> : null,
  ]);

/** The number and the name of a status. */
export const statusTitle = (status: string, name = REASONS[status] ?? ''): JSX.Element => (
  <>
    <b class={/^[23]/.test(status) ? 'k' : 's'}>{status}</b> {name}
  </>
);

const REASONS: Readonly<Record<string, string>> = {
  200: 'OK',
  201: 'Created',
  204: 'No Content',
  400: 'Bad Request',
  404: 'Not Found',
  409: 'Conflict',
  412: 'Precondition Failed',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
};

const SHOWN_MS = 2000;

function CopyButton({ text, label }: CodeCardProps['copies']): JSX.Element {
  const state = useSignal('Copy');
  const copy = async () => {
    state.value = (await copied(text)) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => (state.value = 'Copy'), SHOWN_MS);
  };
  return (
    <button type="button" onClick={copy} aria-label={`Copy ${label}`}>
      <span aria-live="polite">{state.value}</span>
    </button>
  );
}

/** Pages without TLS have no clipboard: there the text is selected in a field of its own and copied the old way. */
async function copied(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  return done;
}
