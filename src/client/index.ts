export { AnimalStore } from './animal-store.ts';
export { AnimalStoreError, type AnimalStoreErrorCode, type ClientErrorCode } from './errors.ts';
export type {
  AnimalStoreOptions,
  CallOptions,
  CreateOptions,
  Id,
  Inventory,
  NewOrder,
  NewPet,
  Order,
  OrderQuery,
  OrderStatus,
  OrderUpdate,
  Page,
  Pet,
  PetQuery,
  PetStatus,
} from './types.ts';
