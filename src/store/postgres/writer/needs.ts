import { categoryNameDigest } from '../../../contract/category.ts';
import type { Write } from '../../actions.ts';
import type { IdempotencyKey } from '../../store.ts';

/** What has to be locked and read before the writes of a batch can be decided. */
export interface Needs {
  /** Animals of the inventory, with their orders. */
  readonly petIds: Set<bigint>;
  /** Removed animals. */
  readonly removedIds: Set<bigint>;
  /** Orders, with their animals. */
  readonly orderIds: Set<bigint>;
  readonly keys: IdempotencyKey[];
  /** Categories by id and by the digest of their name. */
  readonly categoryIds: Set<bigint>;
  readonly categoryDigests: Set<string>;
  /** How many new ids of each kind are used at most. Those that stay unused are no harm. */
  newPets: number;
  newOrders: number;
  newCategories: number;
  /** How many writes may give an animal another category: one animal may pass through many. */
  moves: number;
}

export function needsOf(writes: readonly Write[]): Needs {
  const needs: Needs = {
    petIds: new Set(),
    removedIds: new Set(),
    orderIds: new Set(),
    keys: [],
    categoryIds: new Set(),
    categoryDigests: new Set(),
    newPets: 0,
    newOrders: 0,
    newCategories: 0,
    moves: 0,
  };
  for (const write of writes) add(needs, write);
  return needs;
}

function add(needs: Needs, { method, args }: Write): void {
  switch (method) {
    case 'createPet':
      needs.newPets++;
      break;
    case 'createPets':
      needs.newPets += args[0].length;
      break;
    case 'updatePet':
      needs.moves++;
      needs.petIds.add(args[0]);
      break;
    case 'removePet':
      needs.petIds.add(args[0]);
      break;
    case 'restorePet':
      needs.petIds.add(args[0]);
      needs.removedIds.add(args[0]);
      break;
    case 'createOrder':
      needs.petIds.add(args[0].petId);
      needs.newOrders++;
      break;
    case 'updateOrder':
      needs.orderIds.add(args[0]);
      break;
    case 'createCategory':
      needs.categoryDigests.add(categoryNameDigest(args[0].name));
      needs.newCategories++;
      break;
    case 'setCategory':
      needs.categoryIds.add(args[0].id);
      needs.categoryDigests.add(categoryNameDigest(args[0].name));
      break;
    case 'removeCategory':
      needs.categoryIds.add(args[0]);
      break;
  }
  const key = idempotencyKeyOf({ method, args } as Write);
  if (key) needs.keys.push(key);
}

/** Of a write that may have one. */
export function idempotencyKeyOf({ method, args }: Write): IdempotencyKey | undefined {
  switch (method) {
    case 'createPet':
    case 'createPets':
    case 'createOrder':
    case 'createCategory':
      return args[1];
    default:
      return undefined;
  }
}
