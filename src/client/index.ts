export { AnimalStore } from './animal-store.ts';
export { AnimalStoreError, type AnimalStoreErrorCode, type ClientErrorCode } from './errors.ts';
export type * from './models.ts';
export type { CategoryQuery, EventQuery, Id, KeyQuery, OrderQuery, PetQuery } from './queries.ts';
export type * from './types.ts';
