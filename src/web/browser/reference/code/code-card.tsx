import type { ComponentChildren, JSX } from 'preact';
import { CopyButton } from './copy-button.tsx';

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
    <div class="code-card">
      <div class="code-head">
        <span class="code-title">{title}</span>
        {choice && choice.names.length > 1 ? (
          <div class="segments" role="group" aria-label={choice.label}>
            {choice.names.map((name, index) => (
              <button
                key={name}
                type="button"
                class="segment"
                aria-pressed={index === choice.chosen}
                onClick={() => choice.choose(index)}
              >
                {name}
              </button>
            ))}
          </div>
        ) : null}
        <span class={copies.text === '' ? 'nothing' : ''}>
          <CopyButton {...copies} />
        </span>
      </div>
      {children}
    </div>
  );
}

/** The name of a status. `ok` and `bad` differ in colour only: the number says it. */
export const statusTitle = (status: string, name = REASONS[status] ?? ''): JSX.Element => (
  <>
    <span class={/^[23]/.test(status) ? 'ok' : 'bad'}>{status}</span> {name}
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
