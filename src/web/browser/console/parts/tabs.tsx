import type { ComponentChildren, JSX } from 'preact';
import { icon } from '../../shared/icons.tsx';
import { shapeOf } from './status.tsx';
import type { Status } from './wording.ts';

interface TabsProps {
  /** What they are a choice of. */
  readonly label: string;
  readonly children: ComponentChildren;
}

export const Tabs = ({ label, children }: TabsProps): JSX.Element => (
  <nav class="tabs" aria-label={label}>
    {children}
  </nav>
);

interface TabProps {
  readonly href: string;
  readonly isCurrent: boolean;
  /** Whose shape is before the words. */
  readonly status?: Status | undefined;
  /** How many there are, where they are counted. */
  readonly count?: string | undefined;
  readonly children: ComponentChildren;
}

/** Each choice is an address. */
export const Tab = ({ href, isCurrent, status, count, children }: TabProps): JSX.Element => (
  <a class="tab" href={href} aria-current={isCurrent ? 'true' : undefined}>
    <span class={`status ${status === undefined ? '' : shapeOf(status)}`}>
      {status === undefined ? null : icon(shapeOf(status))}
      {children}
    </span>
    {count === undefined ? null : <span class="count">{count}</span>}
  </a>
);
