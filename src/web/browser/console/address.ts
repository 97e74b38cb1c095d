import { computed, signal } from '@preact/signals';
import { parseRoute, type Route, routeHref } from './route.ts';

const hash = signal(understoodHash());

/** What the address of the page asks for. */
export const route = computed(() => parseRoute(hash.value));
/** The address of the list alone: the panel over it does not change it. */
export const listAddress = computed(() => routeHref({ ...route.value, animal: undefined }));

/** The address of the panel of an animal, over the present list. */
export const animalHref = (animal: bigint): string => routeHref({ ...route.value, animal });

/** Changes the address without a new entry in the history, as for every letter typed into the search box. */
export function replaceRoute(to: Route): void {
  history.replaceState(history.state, '', routeHref(to));
  readAddress();
}

/** Takes over the address that a link, Back or Forward has led to. */
export function readAddress(): void {
  hash.value = understoodHash();
}

/** The hash of the address, after what makes no sense was removed from it: the address says what is shown. */
function understoodHash(): string {
  if (location.hash !== '') {
    const understood = routeHref(parseRoute(location.hash));
    if (understood !== location.hash) history.replaceState(history.state, '', understood);
  }
  return location.hash;
}

/** Whether the browser is at another entry of its history already than the page. */
export const isBehindBrowser = (): boolean => hash.peek() !== location.hash;
