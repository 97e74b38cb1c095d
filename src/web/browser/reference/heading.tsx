import type { ComponentChildren, JSX } from 'preact';
import { icon } from '../shared/icons.tsx';

/** A heading that can be linked to. */
export function heading(id: string, text: string, extra: ComponentChildren): JSX.Element {
  return (
    <div class="heading">
      <h2 id={`${id}-title`}>{text}</h2>
      <a class="anchor" href={`#${id}`} aria-label={`Link to ${text}`}>
        {icon('link')}
      </a>
      {extra}
    </div>
  );
}
