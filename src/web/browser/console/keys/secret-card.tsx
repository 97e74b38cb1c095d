import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { icon } from '../../shared/icons.tsx';
import { focusTitle } from '../navigation.ts';
import { short } from '../parts/wording.ts';
import { shop } from '../session.ts';

const GROUP = /.{1,4}/g;

/** A new key, in groups that can be read out. It is shown this once. */
export function SecretCard(): JSX.Element | null {
  const copied = useSignal(false);
  const title = useRef<HTMLHeadingElement>(null);
  const text = useRef<HTMLElement>(null);
  const { secret, api } = shop();
  const made = secret.value;
  useEffect(() => {
    copied.value = false;
    title.current?.focus();
  }, [made]);
  if (!made) return null;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(made.key);
      copied.value = true;
    } catch {
      // Pages without TLS have no clipboard: the key is selected, so that the person can copy it.
      if (text.current) getSelection()?.selectAllChildren(text.current);
    }
  };
  const close = () => {
    secret.value = undefined;
    focusTitle();
  };
  // Spaces between the groups are drawn, not written: what is selected and copied is the key.
  const [prefix = '', rest = ''] = made.key.includes('_') ? made.key.split(/(?<=_)/) : ['', made.key];
  return (
    <section class="once" aria-labelledby="once-title">
      <h2 id="once-title" ref={title} tabIndex={-1}>{`The key for ${short(made.name)}`}</h2>
      <p>
        {made.id === api.key.id ? 'You are signed in with it from now on. ' : ''}Copy it now. It is shown only
        this once; if it gets lost, rotate the key.
      </p>
      <div class="secret">
        <code ref={text}>
          {[prefix, ...(rest.match(GROUP) ?? [])].map((group, index) => (
            <span key={index}>{group}</span>
          ))}
        </code>
        <button type="button" class="button main" onClick={() => void copy()}>
          {icon(copied.value ? 'check' : 'copy')}
          {copied.value ? 'Copied' : 'Copy'}
        </button>
        <button type="button" class="button" onClick={close}>
          I have it
        </button>
      </div>
      <p class="visually-hidden" role="status">
        {copied.value ? 'The key is copied.' : ''}
      </p>
    </section>
  );
}
