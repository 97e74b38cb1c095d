import { type Category, categoryNameDigest } from '../contract/category.ts';
import { nameKey } from '../contract/name-key.ts';
import type { Order } from '../contract/order.ts';
import type { Pet } from '../contract/pet.ts';
import {
  type Columns,
  date,
  integer,
  nullable,
  type TableDefinition,
  text,
  textId,
  timestamp,
  word,
  words,
} from './columns.ts';
import type { EventRow } from './events.ts';
import type { StoredResult } from './replay.ts';
import type { ApiKey, RemovedPet } from './store.ts';

/** Everything that a store contains, by resource. */
export interface StoreContent {
  readonly pets: Pet;
  readonly removedPets: RemovedPet;
  readonly categories: Category;
  readonly orders: Order;
  readonly keys: ApiKey;
  readonly idempotencyKeys: StoredResult;
  readonly events: EventRow;
}
export type Resource = keyof StoreContent;

const petColumns: Columns<Pet> = {
  id: integer('id'),
  name: text('name'),
  categoryId: integer('category_id'),
  status: word('status'),
};
/** By which animals and categories are found and ordered by name. */
const nameKeyOf = ({ name }: { readonly name: string }): string => nameKey(name);

/** How each resource is stored, for both stores. The types of the columns are in their migrations. */
export const tables: { readonly [R in Resource]: TableDefinition<StoreContent[R]> } = {
  pets: { name: 'pets', columns: petColumns, derived: { folded_name: nameKeyOf } },
  removedPets: {
    name: 'removed_pets',
    columns: { removal: integer('removal'), ...petColumns, removedAt: date('removed_at') },
    derived: { folded_name: nameKeyOf },
  },
  categories: {
    name: 'categories',
    columns: { id: integer('id'), name: text('name') },
    derived: { name_key: nameKeyOf, name_digest: ({ name }) => categoryNameDigest(name) },
  },
  orders: {
    name: 'orders',
    columns: {
      id: integer('id'),
      petId: integer('pet_id'),
      status: word('status'),
      note: nullable(text('note')),
      createdAt: timestamp('created_at'),
      updatedAt: timestamp('changed_at'),
    },
  },
  keys: {
    name: 'api_keys',
    columns: {
      id: textId('id'),
      name: text('name'),
      digest: text('digest'),
      scopes: words('scopes'),
      createdAt: date('created_at'),
      expiresAt: nullable(date('expires_at')),
      revokedAt: nullable(date('revoked_at')),
      lastUsedAt: nullable(date('last_used_at')),
      replacedBy: nullable(textId('replaced_by')),
      createdBy: nullable(text('created_by')),
      rotatedBy: nullable(text('rotated_by')),
      revokedBy: nullable(text('revoked_by')),
    },
  },
  idempotencyKeys: {
    name: 'idempotency_keys',
    columns: {
      owner: text('owner'),
      key: text('key'),
      fingerprint: text('fingerprint'),
      result: text('result'),
      createdAt: date('created_at'),
    },
  },
  events: {
    name: 'events',
    columns: {
      id: integer('id'),
      type: text('type'),
      petId: nullable(integer('pet_id')),
      at: date('at'),
      keyId: nullable(text('key_id')),
      keyName: nullable(text('key_name')),
      content: text('content'),
    },
  },
};

/** In the order in which they are copied. */
export const RESOURCES = Object.keys(tables) as Resource[];

/** Some of the items of one resource. A dump is a sequence of these, in the order of `RESOURCES`. */
export type DumpChunk = {
  [R in Resource]: { readonly resource: R; readonly items: readonly StoreContent[R][] };
}[Resource];

export type Counts = Record<Resource, number>;
