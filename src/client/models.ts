// Generated from src/contract/ by `npm run docs`.

/** The code of an error response of the service. */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_parameter'
  | 'bad_request'
  | 'unauthorized'
  | 'insufficient_scope'
  | 'pet_not_found'
  | 'order_not_found'
  | 'category_not_found'
  | 'key_not_found'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'pet_not_available'
  | 'order_closed'
  | 'order_not_completed'
  | 'pet_not_sold'
  | 'category_exists'
  | 'category_in_use'
  | 'pet_has_open_order'
  | 'pet_sold_by_order'
  | 'pet_not_removed'
  | 'key_not_active'
  | 'operation_removed'
  | 'cursor_expired'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'uri_too_long'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'unavailable';

/** Availability status of an animal. */
export type PetStatus = 'available' | 'pending' | 'sold';

/** An animal in the inventory. `status` is present in every response. */
export interface Pet {
  /** Unique identifier assigned by the service on creation. Never reused. */
  id: bigint;
  /** The animal's name. Stored and returned byte for byte. */
  name: string;
  /** Identifier of the category the animal belongs to. */
  categoryId: bigint;
  status: PetStatus;
}

/** An animal. If it was removed, with the time and the reason: in the list of removed animals and in the event of the removal. */
export interface ListedPet extends Pet {
  /** When it was removed, in UTC. Absent while it is in the inventory. */
  removedAt?: string | undefined;
  /** Why it was removed. Absent if no reason was given. */
  reason?: string | undefined;
}

/** The number of animals by status, exact at the time of the response. */
export interface Inventory {
  /** Number of animals that are available. */
  available: bigint;
  /** Number of animals that are pending. */
  pending: bigint;
  /** Number of animals that are sold. */
  sold: bigint;
}

/** The identifier and the name of a category. */
export interface CategoryName {
  /** The identifier that animals refer to as `categoryId`. */
  id: bigint;
  /** The name of the category. No two categories have the same one, ignoring case. */
  name: string;
}

/** A name for the `categoryId` of animals, and how many animals belong to it. */
export interface Category extends CategoryName {
  inventory: Inventory;
}

/** An order that is `placed` reserves its animal, and a `completed` one has sold it. One that is `cancelled` or `returned` has let it go. */
export type OrderStatus = 'placed' | 'completed' | 'cancelled' | 'returned';

/** An order for one animal. */
export interface Order {
  /** Unique identifier assigned by the service. Never reused. */
  id: bigint;
  /** Identifier of the ordered animal. */
  petId: bigint;
  status: OrderStatus;
  /** For the people in the shop: who the animal is for, or when it is fetched. Absent if there is none. */
  note?: string | undefined;
  /** When the order was created, in UTC. Never changes. */
  createdAt: string;
  /** The name of the API key that created the order, as it was then. Absent if it is not known. */
  createdBy?: string | undefined;
  /** When the order last changed, in UTC. */
  updatedAt: string;
  /** When the animal was sold, in UTC. It stays when the order is returned, and goes when the sale is corrected to `placed` or `cancelled`. */
  completedAt?: string | undefined;
  /** The name of the API key that sold the animal, as it was then. Absent if it is not known. It stays and goes with `completedAt`. */
  completedBy?: string | undefined;
}

/** What has happened. New types may be added: ignore those that you do not know. */
export type EventType = Event['type'];

/** The changed fields, with their previous values. */
export interface FieldsBefore {
  /** The animal's name. Stored and returned byte for byte. */
  name?: string | undefined;
  /** Identifier of the category the animal belongs to. */
  categoryId?: bigint | undefined;
  status?: PetStatus | undefined;
  /** The status of the order. Absent if the order is new. */
  orderStatus?: 'placed' | 'completed' | 'cancelled' | 'returned' | undefined;
  /** The note of the order; null if it had none. */
  note?: string | null | undefined;
}

/** The animals that an import from a file has added. */
export interface ImportSummary {
  /** How many animals were added. */
  count: bigint;
  /** The lowest of their identifiers. */
  firstId: bigint;
  /** The highest of their identifiers. Those of other animals may be in between. */
  lastId: bigint;
}

/** What any event has, or may have. */
export interface EventBase {
  /** Identifies the event. As `after` it leads to the events that follow. */
  id: string;
  /** When it happened, in UTC. Events are in the order of their commits, which may differ from that of their times. */
  at: string;
  /** The identifier of the API key that made the change; null for the command line. */
  keyId: string | null;
  /** The name that the key had; null for the command line. */
  keyName: string | null;
  pet?: ListedPet | undefined;
  order?: Order | undefined;
  category?: CategoryName | undefined;
  before?: FieldsBefore | undefined;
  imported?: ImportSummary | undefined;
}

/** One change. It has the animal, order or category as the change left it; one that was removed is as it was before. An event of an order has its animal as well. An event of a type that a later version of the service has added has the fields of EventBase, and a `type` that is not here. */
export type Event = EventBase &
  (
    | { type: 'pet.created'; pet: ListedPet }
    | { type: 'pet.updated'; pet: ListedPet; before: FieldsBefore }
    | { type: 'pet.removed'; pet: ListedPet }
    | { type: 'pet.restored'; pet: ListedPet }
    | { type: 'pets.imported'; imported: ImportSummary }
    | { type: 'order.placed'; order: Order }
    | { type: 'order.completed'; order: Order }
    | { type: 'order.cancelled'; order: Order }
    | { type: 'order.returned'; order: Order }
    | { type: 'order.updated'; order: Order; before: FieldsBefore }
    | { type: 'category.created'; category: CategoryName }
    | { type: 'category.renamed'; category: CategoryName; before: FieldsBefore }
    | { type: 'category.removed'; category: CategoryName }
  );

/** What a key may do. A scope for writing includes reading; `*` is everything. `store:read` shows orders with the names of the keys that created and completed them. `events:read` shows every change: animals, orders with their notes, categories, and the names of keys. */
export type KeyScope =
  | '*'
  | 'pets:read'
  | 'pets:write'
  | 'store:read'
  | 'store:write'
  | 'events:read'
  | 'metrics:read'
  | 'keys:read'
  | 'keys:write';

/** The API key of the request. The `id` of a key from `API_KEYS` begins with `env-`. */
export interface CurrentKey {
  /** Identifies the key in the log, in metrics and in calls. */
  id: string;
  /** Who uses the key, for example a till or a program. */
  name: string;
  /** What the key may do: scopes, or `*` alone for everything. */
  scopes: readonly KeyScope[];
  /** When the key expires. Absent if it does not. */
  expiresAt?: string | undefined;
}

/** An API key, without the key itself: only its digest is stored. */
export interface Key extends CurrentKey {
  /** When the key was created. */
  createdAt: string;
  /** When it was last used, to ten seconds. Absent if it never was. */
  lastUsedAt?: string | undefined;
  /** When it was revoked. Absent if it is not. */
  revokedAt?: string | undefined;
  /** The `id` of its successor, if it was rotated. */
  replacedBy?: string | undefined;
  /** The `id` of the key that created it. Absent if the command line did it, or before this field existed. */
  createdBy?: string | undefined;
  /** The `id` of the key that last changed its name, scopes or expiry. Absent if the command line did it, or before this field existed. */
  changedBy?: string | undefined;
  /** The `id` of the key that rotated it, which is not its successor. Absent if the command line did it, or before this field existed. */
  rotatedBy?: string | undefined;
  /** The `id` of the key that revoked it. Absent if the command line did it, or before this field existed. */
  revokedBy?: string | undefined;
}

/** A new API key. */
export interface CreatedKey extends Key {
  /** The key itself, which is in no other response. It works at once, in every process. */
  key: string;
}

/** A new API key, and the one that it replaces. */
export interface RotatedKey extends CreatedKey {
  replaces: Key;
}

/** An animal to add. Other fields are ignored. */
export interface NewPet {
  /** The animal's name. Stored and returned byte for byte. */
  name: string;
  /** Identifier of the category the animal belongs to. */
  categoryId: bigint | number;
  status?: PetStatus | undefined;
}

/** The fields of an animal to change. Those that are left out stay as they are. Other fields are ignored; a body of such fields alone is rejected. */
export interface PetUpdate {
  /** The animal's name. Stored and returned byte for byte. */
  name?: string | undefined;
  /** Identifier of the category the animal belongs to. */
  categoryId?: bigint | number | undefined;
  status?: PetStatus | undefined;
}

/** The name to give to a category. Other fields are ignored. */
export interface NewCategory {
  /** The name of the category. No two categories have the same one, ignoring case. */
  name: string;
}

/** A reservation or a sale. Other fields are ignored. */
export interface NewOrder {
  /** Identifier of the ordered animal. */
  petId: bigint | number;
  /** For the people in the shop: who the animal is for, or when it is fetched. Absent if there is none. */
  note?: string | undefined;
  /** `placed`, the default, reserves the animal; `completed` sells it at once. */
  status?: 'placed' | 'completed' | undefined;
}

/** A new status, a new note, or both. Other fields are ignored; a body of such fields alone is rejected. */
export interface OrderUpdate {
  status?: OrderStatus | undefined;
  /** The note of the order from now on; `null` removes it. Possible at any time. */
  note?: string | null | undefined;
  /** The status that the order has now, as the client knows it. If another client has changed it since, the response is 409 and nothing is done: to cancel a reservation never undoes a sale that was made meanwhile. */
  from?: 'placed' | 'completed' | 'cancelled' | 'returned' | undefined;
}

/** An API key to create. Other fields are ignored. */
export interface NewKey {
  /** Who uses the key, for example a till or a program. */
  name: string;
  /** What the key may do: one or more scopes, or `*` alone for everything. */
  scopes: readonly KeyScope[];
  /** When the key expires. Without it, the key is valid until it is revoked. */
  expiresAt?: string | undefined;
}

/** The fields of an API key to change. Those that are left out stay as they are. Other fields are ignored; a body of such fields alone is rejected. */
export interface KeyUpdate {
  /** Who uses the key, for example a till or a program. */
  name?: string | undefined;
  /** What the key may do: one or more scopes, or `*` alone for everything. */
  scopes?: readonly KeyScope[] | undefined;
  /** When the key expires; `null` makes it valid until it is revoked. */
  expiresAt?: string | null | undefined;
}

/** How to replace a key. Other fields are ignored; a body of such fields alone is rejected. */
export interface KeyRotation {
  /** How long the old key still works, such as `30m`, `12h` or `7d`. */
  overlap?: string | undefined;
}
