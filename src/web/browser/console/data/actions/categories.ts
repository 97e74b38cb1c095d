import { signal } from '@preact/signals';
import { AnimalStoreError, type Category } from '../../../../../client/index.ts';
import { count, short } from '../../parts/wording.ts';
import { statusOf } from '../connection.ts';
import type { Shop } from '../shop.ts';
import { act, done, failed } from './act.ts';
import { correct } from './corrections.ts';

/** Adds a category. Its name is known at once, so that it can be chosen. */
export async function createCategory(shop: Shop, name: string): Promise<Category> {
  const category = await shop.api.write((client, options) => client.createCategory({ name }, options));
  shop.cache.categories.change(category);
  return category;
}

/** The category with this name. If it has been added since it was typed, that one. */
export async function createOrFindCategory(shop: Shop, name: string): Promise<Category> {
  try {
    return await createCategory(shop, name);
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
    await shop.categories.load();
    const known = shop.categories.called(name);
    if (!known) throw error;
    return known;
  }
}

/** Names a category, or gives it another name. As an Undo, only if it is still called `undone`. */
export function renameCategory(shop: Shop, id: bigint, name: string, undone?: string): Promise<boolean> {
  const before = shop.cache.categories.peek(id)?.name;
  const what = `the new name of ${before === undefined ? `category ${id}` : short(before)}`;
  return act(shop, {
    place: `category-${id}`,
    busy: 'Saving…',
    what,
    run: async (key) => {
      if (undone !== undefined) {
        await shop.categories.load();
        // An attempt whose answer was lost may have undone it already.
        if (![undone, name].includes(shop.cache.categories.peek(id)?.name ?? ''))
          return failed('Not undone: someone else has renamed it since.');
      }
      await shop.api.write((client, options) => client.setCategory(id, { name }, options), key);
      await shop.categories.load();
      return done(
        `The category is called ${short(name)}.`,
        before === undefined || undone !== undefined
          ? undefined
          : { what, run: () => renameCategory(shop, id, before, name) },
      );
    },
  });
}

/** Removes the name of a category without animals. */
export function removeCategory(shop: Shop, { id, name }: Category): Promise<boolean> {
  const what = `the removal of the category ${short(name)}`;
  return act(shop, {
    place: `category-${id}`,
    busy: 'Removing…',
    what,
    run: async (key) => {
      await shop.api.write((client, options) => client.removeCategory(id, options), key);
      shop.cache.categories.remove(id);
      return done(`The category ${short(name)} is removed.`, {
        what,
        run: () => renameCategory(shop, id, name),
      });
    },
  });
}

/** How many animals a category has. */
export const animalsIn = ({ inventory: { available, pending, sold } }: Pick<Category, 'inventory'>): bigint =>
  available + pending + sold;

/** Moves every animal of a category to another one, one after the other, and removes the category. It may have no name. */
export function mergeCategory(shop: Shop, category: Category, into: Category): Promise<boolean> {
  const { id, name } = category;
  const moved = signal(0);
  return act(shop, {
    place: `category-${id}`,
    busy: () => `Moving… ${count(moved.value)} of ${count(animalsIn(category))}`,
    what: `the move from ${short(name)} to ${short(into.name)}`,
    run: async () => {
      for (;;) {
        const { items } = await shop.api.read((client, options) =>
          client.listPets({ categoryId: id, limit: 100 }, options),
        );
        if (items.length === 0) break;
        for (const pet of items) {
          const conflict = await correct(shop, pet.id, { categoryId: id }, { categoryId: into.id }).catch(
            gone,
          );
          if (!conflict) moved.value++;
        }
      }
      await shop.api.write((client, options) => client.removeCategory(id, options)).catch(gone);
      shop.cache.categories.remove(id);
      return done(`${moved.peek()} moved to ${short(into.name)}, and ${short(name)} is removed.`);
    },
  });
}

/** An animal that was removed meanwhile need not be moved; nor need a category be removed that has no name, or none any more. */
function gone(error: unknown): undefined {
  if (error instanceof AnimalStoreError && error.status === 404) return undefined;
  throw error;
}
