import { type CategoryName, categoryExists, categoryInUse, categoryNotFound } from '../category.ts';
import { categoryEvent, type NewEvent } from '../event.ts';

export interface CategoryChange {
  readonly created: boolean;
  /** Undefined if the category has this name already. */
  readonly event?: NewEvent;
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

/** `isUsed`: whether an animal that is not removed belongs to it. */
export function removeCategory(category: CategoryName | undefined, isUsed: () => boolean): NewEvent {
  if (!category) throw categoryNotFound();
  if (isUsed()) throw categoryInUse();
  return categoryEvent('category.removed', category);
}
