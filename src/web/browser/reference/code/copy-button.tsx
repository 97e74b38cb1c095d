import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';

const SHOWN_MS = 2000;

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const state = useSignal('Copy');
  const copy = async () => {
    state.value = (await copied(text)) ? 'Copied' : 'Press Ctrl+C';
    setTimeout(() => (state.value = 'Copy'), SHOWN_MS);
  };
  return (
    <button type="button" class="button small" onClick={copy} aria-label={`Copy ${label}`}>
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
