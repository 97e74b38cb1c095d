import type { EventFilter, StoredEvent } from './store.ts';

/** Whether the events that a filter wants are found by no index: only by looking at each. */
export const isSearch = ({ types, keyIds }: EventFilter): boolean =>
  types !== undefined || keyIds !== undefined;

export const hasFilter = (filter: EventFilter): boolean => filter.petId !== undefined || isSearch(filter);

export const isWanted = (event: StoredEvent, { petId, types, keyIds }: EventFilter): boolean =>
  (petId === undefined || event.petId === petId) &&
  (types === undefined || types.includes(event.type)) &&
  (keyIds === undefined || (event.keyId !== undefined && keyIds.includes(event.keyId)));
