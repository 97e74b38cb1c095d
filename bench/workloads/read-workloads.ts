import { CATEGORY_NAME, NAMED_CATEGORIES } from '../datasets/rows.ts';
import { BROWSER_HEADERS } from './browser-headers.ts';
import { spell } from './spelling.ts';
import { FEW, MANY, type Workload } from './workload.ts';

const CLIENTS = 32;

export const firstPage: Workload = {
  name: 'listPets, first page',
  about: 'The 20 newest animals, with no writes in between.',
  animals: FEW,
  clients: CLIENTS,
  call: () => ({ kind: 'first' }),
  isCached: true,
  target: 0.85,
  postgresTarget: 0.7,
};

export const firstPageFromBrowser: Workload = {
  ...firstPage,
  variantOf: firstPage,
  name: 'listPets, first page, browser',
  about: `The same with the headers of a browser: ${BROWSER_HEADERS.length + 2} in all, as Chromium sends them.`,
  headers: BROWSER_HEADERS,
};

export const filteredPage: Workload = {
  name: 'listPets, filtered',
  about: 'The 20 newest animals that are `pending`.',
  animals: FEW,
  clients: CLIENTS,
  call: () => ({ kind: 'filtered', status: 'pending' }),
  isCached: true,
};

export const categoryPage: Workload = {
  name: 'listPets, one category',
  about: 'The 20 newest animals of one of 500 categories.',
  variantOf: filteredPage,
  variantLimit: 1.3,
  animals: FEW,
  clients: CLIENTS,
  call: (random) => ({ kind: 'category', categoryId: random(500) }),
  isCached: true,
};

export const randomPages: Workload = {
  name: 'listPets, random pages',
  about: 'Pages of 20 from anywhere in the list.',
  animals: MANY,
  clients: CLIENTS,
  call: (random, animals) => ({ kind: 'page', before: 20 + random(animals - 20) }),
  target: 0.4,
  postgresTarget: 0.4,
};

export const getPet: Workload = {
  name: 'getPet, random',
  about: 'Any animal, by its id.',
  animals: MANY,
  clients: CLIENTS,
  call: (random, animals) => ({ kind: 'one', id: random(animals) }),
  target: 0.8,
  postgresTarget: 0.6,
};

export const categoryList: Workload = {
  name: `listCategories, ${NAMED_CATEGORIES} of them`,
  about: `A page of ${NAMED_CATEGORIES} categories with the number of their animals by status, not from the cache of first pages: every request spells the beginning of their names in another way.`,
  isOursOnly: true,
  animals: FEW,
  clients: CLIENTS,
  call: (random) => ({ kind: 'categories', name: spell(CATEGORY_NAME, random(2 ** 20)) }),
};

export const categoryInventory: Workload = {
  name: 'getInventory of one category',
  about: 'The number of animals by status in one of 500 categories.',
  isOursOnly: true,
  animals: FEW,
  clients: CLIENTS,
  call: (random) => ({ kind: 'inventory', categoryId: random(500) }),
};

/** Those that should cost the same with any number of animals. */
export const reads = [firstPage, randomPages, filteredPage, categoryPage, getPet];
