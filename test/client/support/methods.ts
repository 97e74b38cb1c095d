import type { AnimalStore, CallOptions } from '../../../src/client/index.ts';
import { collect } from './client.ts';

type Method = (store: AnimalStore, options: CallOptions) => Promise<unknown>;

/** A call of every method with options. The compiler notices a method that is missing. */
export const METHODS: Record<keyof AnimalStore, Method> = {
  listPets: (store, options) => store.listPets({}, options),
  pets: (store, options) => collect(store.pets({}, options)),
  createPet: (store, options) => store.createPet({ name: 'Rex', categoryId: 1 }, options),
  createPets: (store, options) => store.createPets([{ name: 'Rex', categoryId: 1 }], options),
  updatePet: (store, options) => store.updatePet(1, { name: 'Max' }, options),
  removePet: (store, options) => store.removePet(1, options),
  restorePet: (store, options) => store.restorePet(1, options),
  getPet: (store, options) => store.getPet(1, options),
  listCategories: (store, options) => store.listCategories({}, options),
  categories: (store, options) => collect(store.categories({}, options)),
  getCategory: (store, options) => store.getCategory(1, options),
  createCategory: (store, options) => store.createCategory({ name: 'Dogs' }, options),
  setCategory: (store, options) => store.setCategory(1, { name: 'Dogs' }, options),
  removeCategory: (store, options) => store.removeCategory(1, options),
  listOrders: (store, options) => store.listOrders({}, options),
  orders: (store, options) => collect(store.orders({}, options)),
  getOrder: (store, options) => store.getOrder(1, options),
  createOrder: (store, options) => store.createOrder({ petId: 1 }, options),
  updateOrder: (store, options) => store.updateOrder(1, { status: 'completed' }, options),
  listEvents: (store, options) => store.listEvents({}, options),
  events: (store, options) => store.events({}, options).next(),
  getInventory: (store, options) => store.getInventory(options),
  listKeys: (store, options) => store.listKeys({}, options),
  keys: (store, options) => collect(store.keys({}, options)),
  createKey: (store, options) => store.createKey({ name: 'till', scopes: ['*'] }, options),
  updateKey: (store, options) => store.updateKey('1', { name: 'till' }, options),
  revokeKey: (store, options) => store.revokeKey('1', options),
  rotateKey: (store, options) => store.rotateKey('1', {}, options),
  getCurrentKey: (store, options) => store.getCurrentKey(options),
};
