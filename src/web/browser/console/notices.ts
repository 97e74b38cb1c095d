import { effect, signal } from '@preact/signals';
import { session } from './session.ts';

const SHOWN_MS = 8000;

export interface Notice {
  readonly id: number;
  readonly kind: 'done' | 'problem';
  readonly text: string;
  readonly link?: { readonly href: string; readonly text: string };
}

/** What happened, for the person to read; screen readers announce it. */
export const notices = signal<readonly Notice[]>([]);

let latest = 0;

effect(() => {
  if (!session.value) notices.value = [];
});

/** Good news leaves by itself; a problem stays until it is dismissed or the next action of the person. */
export function notify(notice: Omit<Notice, 'id'>): void {
  if (!session.peek()) return;
  const id = ++latest;
  notices.value = [...notices.peek().filter(({ kind }) => kind !== 'problem'), { ...notice, id }].slice(-3);
  if (notice.kind === 'done') setTimeout(() => dismiss(id), SHOWN_MS);
}

export function dismiss(id: number): void {
  notices.value = notices.peek().filter((notice) => notice.id !== id);
}
