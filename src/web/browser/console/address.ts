import { computed, signal } from '@preact/signals';
import { parseRoute, type Route, routeHref } from './route.ts';

const hash = signal(location.hash);

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
  hash.value = location.hash;
}

/** Whether the browser is at another entry of its history already than the page. */
export const isBehindBrowser = (): boolean => hash.peek() !== location.hash;
