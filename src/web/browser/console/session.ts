import { computed, effect, signal } from '@preact/signals';
import { apiBase } from '../shared/service.ts';
import type { Permission } from './data/permissions.ts';
import { Sessions } from './data/sessions.ts';
import { Sync } from './data/sync.ts';
import type { Workspace } from './data/workspace.ts';
import { keptKeyOf } from './kept-key.ts';

/** Whether a person may be looking at this tab. */
const isVisible = signal(!document.hidden);
document.addEventListener('visibilitychange', () => (isVisible.value = !document.hidden));

export const sessions = new Sessions(apiBase, keptKeyOf(apiBase.pathname));

/** Keeps the shop of the session in step with the service. */
const sync = computed(() => {
  const current = sessions.current.value;
  return current && new Sync(current, { isVisible });
});

/** What is on the page may still ask for its shop while it is taken down. */
let shown: Workspace | undefined;
effect(() => {
  shown = sessions.current.value ?? shown;
});

/** To be called when nothing of an earlier session is on the page any more. */
export function forgetShop(): void {
  shown = sessions.current.peek();
}

/**
 * The shop of the person who is signed in. What is on the page belongs to one session, from signing in to signing out, and so it does not
 * follow the session: only the page itself does.
 */
export function shop(): Workspace {
  if (!shown) throw new Error('Not signed in.');
  return shown;
}

/** Whether the key of this session allows it. The page shows only what it does. */
export const may = (permission: Permission): boolean => sessions.current.value?.api.may(permission) ?? false;

/** Offline, nothing is queued: actions are disabled. */
export const isOffline = (): boolean => sessions.current.value?.api.connection.isOffline.value ?? false;

/** When the next refresh is due, in milliseconds since 1970. */
export const refreshDueAt = (): number => sync.value?.dueAt.value ?? 0;

/** Loads what is on screen again now. */
export const refreshNow = (): Promise<void> => sync.peek()?.refresh() ?? Promise.resolve();

/** Runs something that loads, and shows when that fails. */
export const load = (loading: (of: Workspace) => Promise<void>): Promise<void> => {
  const current = sessions.current.peek();
  return (current && sync.peek()?.run(() => loading(current))) ?? Promise.resolve();
};

/** From here on the shop of every session is kept in step. */
export function startSync(): void {
  effect(() => sync.value?.start());
  addEventListener('online', () => void refreshNow());
  addEventListener('offline', () => {
    const failure = sessions.current.peek()?.api.connection.failure;
    if (failure) failure.value = { kind: 'offline', retryAfterMs: undefined, requestId: undefined };
  });
}
