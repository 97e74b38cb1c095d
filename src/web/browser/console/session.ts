import { computed, effect, signal, untracked } from '@preact/signals';
import { apiBase } from '../shared/service.ts';
import type { Permission } from './data/api.ts';
import { presentDay } from './data/calendar.ts';
import { AddForm } from './data/forms.ts';
import { type KeptKey, Sessions } from './data/sessions.ts';
import type { Shop } from './data/shop.ts';
import { Sync } from './data/sync.ts';
import { returnedTo } from './navigation.ts';
import { ANIMALS, listAddress, neededFor, route, routeHref, screenOf, type View } from './route.ts';

/** Whether a person may be looking at this tab. */
const isVisible = signal(!document.hidden);
document.addEventListener('visibilitychange', () => (isVisible.value = !document.hidden));

export const sessions = new Sessions(apiBase, keptKeyOf(apiBase.pathname));

/** Keeps the shop of the session up to date. */
const sync = computed(() => {
  const current = sessions.current.value;
  return current && new Sync(current, { isVisible });
});

/** Kept after signing out, because components may still use it while they are unmounted. */
let shown: Shop | undefined;
effect(() => {
  shown = sessions.current.value ?? shown;
});

/** To be called when nothing on the page belongs to an earlier session. */
export function forgetShop(): void {
  shown = sessions.current.peek();
}

/**
 * The shop of the person who is signed in. It is not a signal, because every component belongs to one session, from signing in to signing
 * out. Only the page itself follows `sessions.current`.
 */
export function shop(): Shop {
  if (!shown) throw new Error('Not signed in.');
  return shown;
}

/** Whether the key of this session allows it. The page shows nothing else. */
export const may = (permission: Permission): boolean => sessions.current.value?.api.may(permission) ?? false;

export const mayOpen = (view: View): boolean => may(neededFor[view]);

/** Offline, nothing is queued: actions are disabled. */
export const isOffline = (): boolean => sessions.current.value?.api.connection.isOffline.value ?? false;

export const isPolling = (): boolean => sync.value?.isPolling.value ?? false;

export const refreshNow = (): Promise<void> => sync.peek()?.refresh() ?? Promise.resolve();

/** Loads more rows, or what is new, and shows when that fails. */
export const loadMore = (loading: (of: Shop) => Promise<void>): void => {
  const current = sessions.current.peek();
  if (current) void current.api.load('more', () => loading(current));
};

/** The form for adding animals, while it is open. */
export const addForm = signal<AddForm | undefined>(undefined);

/** Opens the form over the list of animals. */
export function openAddForm(): void {
  const open = () => {
    if (!sessions.current.peek()) return;
    shop().added.value = [];
    addForm.value ??= new AddForm(shop());
  };
  if (route.peek().view === 'animals' && route.peek().animal === undefined) open();
  else {
    addEventListener('hashchange', open, { once: true });
    location.hash = routeHref(
      route.peek().view === 'animals' ? { ...route.peek(), animal: undefined } : ANIMALS,
    );
  }
}

/** Closes the form, and shows in the list what was added. */
export function closeAddForm(): void {
  addForm.value = undefined;
  const { added, animalList } = shop();
  if (added.peek().length > 0) loadMore(() => animalList.showUnseen());
}

/** From now on, the shop of every session is kept up to date, and the page loads what its address asks for. */
export function startSession(): void {
  effect(() => sync.value?.start());
  addEventListener('online', () => {
    sessions.current.peek()?.api.connection.succeeded('network');
    void refreshNow();
  });
  const unreachable = { status: 0, retryAfterMs: undefined, requestId: undefined };
  addEventListener('offline', () => sessions.current.peek()?.api.connection.failed('network', unreachable));
  startOpening();
}

/** The day that an address such as "the sales of today" depends on. */
const dependedDay = computed(() => {
  const to = route.value;
  return to.view === 'orders' && typeof to.period === 'string' ? presentDay() : undefined;
});
const animal = computed(() => route.value.animal);

/** Loads what the address asks for: after signing in, whenever it changes, and at midnight. */
function startOpening(): void {
  effect(() => {
    void [sessions.current.value, listAddress.value, dependedDay.value];
    const { rows, restoreScroll } = returnedTo();
    const to = route.peek();
    untracked(() => {
      const current = sessions.current.peek();
      const screen = mayOpen(to.view) ? screenOf(to) : ({ of: 'nothing' } as const);
      void sync.peek()?.run(() => (current ?? shop()).open(screen, rows).then(restoreScroll));
    });
  });
  effect(() => {
    const id = animal.value;
    const current = sessions.current.value;
    if (current) void current.api.load('panel', () => untracked(() => current.panel.open(id)));
  });
  // The form never stays open over another view or another animal.
  effect(() => {
    void [sessions.current.value, route.value.view, animal.value];
    return () => (addForm.value = undefined);
  });
}

/** The key that this browser keeps, in its storage. Services below different paths of one host have keys of their own. */
function keptKeyOf(path: string): KeptKey {
  const place = `animal-store key of ${path}`;
  return {
    get: () => storage()?.getItem(place) ?? undefined,
    set: (key) => storage()?.setItem(place, key),
    forget: () => storage()?.removeItem(place),
    onChangeElsewhere: (listener) =>
      addEventListener('storage', ({ key, newValue }) => {
        if (key === place || key === null) listener(newValue ?? undefined);
      }),
    get isPossible() {
      return storage() !== undefined;
    },
  };
}

/** The storage of this browser; undefined where the person has switched it off. */
function storage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
