import { type CategoryName, categoryExists, categoryInUse, categoryNotFound } from '../category.ts';
import { categoryEvent, type NewEvent } from '../event.ts';
import type { Inventory } from '../order.ts';

interface CategoryChange {
  readonly created: boolean;
  /** Undefined if the category has this name already. */
  readonly event?: NewEvent;
}

/** Adds a category. `named` is the category that has the wanted name, ignoring case; `takeId` is called if there is none. */
export function createCategory(
  named: CategoryName | undefined,
  name: string,
  takeId: () => bigint,
): { readonly category: CategoryName; readonly event: NewEvent } {
  if (named) throw categoryExists();
  const category = { id: takeId(), name };
  return { category, event: categoryEvent('category.created', category) };
}

/** Names or renames a category. `named` is the category that has the wanted name, ignoring case. */
export function setCategory(
  old: CategoryName | undefined,
  named: CategoryName | undefined,
  category: CategoryName,
): CategoryChange {
  if (named && named.id !== category.id) throw categoryExists();
  if (!old) return { created: true, event: categoryEvent('category.created', category) };
  if (old.name === category.name) return { created: false };
  return { created: false, event: categoryEvent('category.renamed', category, old) };
}

export function removeCategory(category: CategoryName | undefined, inventory: Inventory): NewEvent {
  if (!category) throw categoryNotFound();
  if (Object.values(inventory).some((count) => count > 0n)) throw categoryInUse();
  return categoryEvent('category.removed', category);
}
