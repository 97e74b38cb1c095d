import { computed, effect, untracked } from '@preact/signals';
import { listAddress, route } from './address.ts';
import type { Shop } from './data/shop.ts';
import { returnedTo } from './navigation.ts';
import { presentDay } from './parts/time.ts';
import { ANIMALS, routeHref } from './route.ts';
import { load, sessions } from './session.ts';

/** How many rows are on screen. */
export function shownRows(): number | undefined {
  const shop = sessions.current.peek();
  return shop && listOn(shop)?.ids.peek()?.length;
}

function listOn(shop: Shop): { readonly ids: { peek(): readonly unknown[] | undefined } } | undefined {
  switch (route.peek().view) {
    case 'animals':
    case 'removed':
      return shop.animalList;
    case 'orders':
      return shop.foundOrders;
    case 'activity':
      return shop.activityList;
    case 'keys':
      return shop.keyList;
    default:
      return undefined;
  }
}

/** The day that an address such as "the sales of today" depends on. */
const dependedDay = computed(() => {
  const to = route.value;
  return to.view === 'orders' && typeof to.period === 'string' ? presentDay() : undefined;
});
const view = computed(() => route.value.view);
const animal = computed(() => route.value.animal);

/** From here on the page loads what its address asks for, after signing in, whenever the address changes, and at midnight. */
export function startOpening(): void {
  effect(() => {
    void [sessions.current.value, listAddress.value, dependedDay.value];
    const { rows, restoreScroll } = returnedTo();
    const to = route.peek();
    untracked(() => void load((shop) => shop.open({ ...to, animal: undefined }, rows).then(restoreScroll)));
  });
  effect(() => {
    const id = animal.value;
    void sessions.current.value;
    untracked(() => void load((shop) => shop.panel.open(id)));
  });
  // What was done and ticked in a list is forgotten with the list.
  effect(() => {
    const shop = sessions.current.value;
    void listAddress.value;
    return () => {
      shop?.outcomes.clear();
      shop?.selection.clear();
    };
  });
  // The form never lies over another place or another animal. What was typed waits in it.
  effect(() => {
    const addForm = sessions.current.value?.addForm;
    void [view.value, animal.value];
    return () => addForm?.close();
  });
}

/** Opens the form over the list of animals, where what is added appears. */
export function openAddForm(): void {
  const open = () => sessions.current.peek()?.addForm.open();
  if (route.peek().view === 'animals') open();
  else {
    addEventListener('hashchange', open, { once: true });
    location.hash = routeHref(ANIMALS);
  }
}
