import { type CategoryName, categoryNameDigest } from '../contract/category.ts';
import { foldText } from '../contract/folded-text.ts';
import { nameKey } from '../contract/name-key.ts';
import type { Order } from '../contract/order.ts';
import type { Pet, RemovedPet } from '../contract/pet.ts';
import {
  type Columns,
  count,
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
import type { ApiKey, StoredRemoval, StoredResult } from './store.ts';

/** Everything that a store contains, by resource. */
export interface StoreContent {
  readonly pets: Pet;
  readonly removedPets: StoredRemoval;
  readonly categories: CategoryName;
  /** The identifier that was last assigned to a new category; no row before the first. It only increases. */
  readonly categoryCounter: { readonly id: 1n; readonly last: bigint };
  /** The identifiers of removed categories, filled by a trigger: none of them is assigned again. */
  readonly formerCategoryIds: { readonly id: bigint };
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
/** What is shown of a removed animal. */
export const removedPetColumns: Columns<RemovedPet> = {
  ...petColumns,
  removedAt: timestamp('removed_at'),
  reason: nullable(text('reason')),
};
/** The form of a name in which a search looks for words. */
const foldedName = ({ name }: { readonly name: string }): string => foldText(name);

/** How each resource is stored, for both stores. The types of the columns are in their migrations. */
export const tables: { readonly [R in Resource]: TableDefinition<StoreContent[R]> } = {
  pets: { name: 'pets', columns: petColumns, derived: { folded_name: foldedName } },
  removedPets: {
    name: 'removed_pets',
    columns: { removal: integer('removal'), ...removedPetColumns },
    derived: { folded_name: foldedName },
  },
  categories: {
    name: 'categories',
    columns: { id: integer('id'), name: text('name') },
    derived: { name_key: ({ name }) => nameKey(name), name_digest: ({ name }) => categoryNameDigest(name) },
  },
  categoryCounter: { name: 'category_counter', columns: { id: integer('id'), last: integer('last') } },
  formerCategoryIds: { name: 'former_category_ids', columns: { id: integer('id') } },
  orders: {
    name: 'orders',
    columns: {
      id: integer('id'),
      petId: integer('pet_id'),
      status: word('status'),
      note: nullable(text('note')),
      createdAt: timestamp('created_at'),
      createdBy: nullable(text('created_by')),
      updatedAt: timestamp('changed_at'),
      completedAt: nullable(timestamp('completed_at')),
      completedBy: nullable(text('completed_by')),
    },
    derived: { folded_note: ({ note }) => (note === undefined ? null : foldText(note)) },
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
      changedBy: nullable(text('changed_by')),
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
      status: nullable(count('status')),
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
