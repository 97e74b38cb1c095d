import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Secret } from '../data/shop.ts';
import { quoted } from '../data/text.ts';
import { Dialog } from '../parts/dialog.tsx';
import { shop } from '../session.ts';

const GROUP = /.{1,4}/g;

/** A new key. It is shown only once, on whatever page the person is, and only its button closes the dialog. */
export function NewSecret(): JSX.Element | null {
  const made = shop().secret.value;
  return made ? <SecretDialog key={made.id} made={made} /> : null;
}

function SecretDialog({ made }: { readonly made: Secret }): JSX.Element {
  const isCopied = useSignal(false);
  const text = useRef<HTMLElement>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(made.key);
      isCopied.value = true;
    } catch {
      // Pages without TLS have no clipboard: the key is selected, so that the person can copy it.
      if (text.current) getSelection()?.selectAllChildren(text.current);
    }
  };
  // The spaces between the groups are drawn, not written: what is selected and copied is the key.
  const [prefix = '', rest = ''] = made.key.includes('_') ? made.key.split(/(?<=_)/) : ['', made.key];
  return (
    <Dialog title={`The key for ${quoted(made.name)}`}>
      <p>
        {made.id === shop().api.key.id ? 'You are signed in with it from now on. ' : ''}
        Copy it now. It is shown this once; if it gets lost, rotate the key.
      </p>
      <code ref={text} class="secret">
        {[prefix, ...(rest.match(GROUP) ?? [])].map((group, index) => (
          <span key={index}>{group}</span>
        ))}
      </code>
      <div class="buttons">
        <button type="button" class="button main" data-first onClick={() => void copy()}>
          {isCopied.value ? 'Copied' : 'Copy'}
        </button>
        <button type="button" class="button" onClick={() => (shop().secret.value = undefined)}>
          I have it
        </button>
      </div>
    </Dialog>
  );
}
