import { randomId } from '../../../../client/call.ts';
import type { Category } from '../../../../client/index.ts';
import type { Action } from './act.ts';
import { statusOf } from './api.ts';
import { sum } from './categories.ts';
import type { Shop } from './shop.ts';
import { count, quoted } from './text.ts';

/** Adds a category. Returns the existing one if the name was added elsewhere meanwhile. */
export async function createCategory(shop: Shop, name: string, key = randomId()): Promise<Category> {
  try {
    const category = await shop.api.write((client, options) => client.createCategory({ name }, options), key);
    shop.cache.categories.change(category);
    return category;
  } catch (error) {
    if (statusOf(error) !== 409) throw error;
    await shop.categories.load();
    const known = shop.categories.called(name);
    if (!known) throw error;
    return known;
  }
}

/** Adds a category, unless there is one with this name. */
export const addCategory = (shop: Shop, name: string): Action => ({
  subject: 'category-0',
  running: 'Adding…',
  what: `the category ${quoted(name)}`,
  run: async (key) => {
    const category = await shop.api.write((client, options) => client.createCategory({ name }, options), key);
    shop.cache.categories.change(category);
    return {
      text: `The category ${quoted(name)} was added.`,
      undo: undoing(removeCategory(shop, category), `the category ${quoted(name)} was removed`),
    };
  },
});

/** Names a category, or gives it another name. */
export function renameCategory(shop: Shop, id: bigint, name: string): Action {
  const before = shop.cache.categories.peek(id)?.name;
  const set = async (to: string, key: string) => {
    const category = await shop.api.write(
      (client, options) => client.setCategory(id, { name: to }, options),
      key,
    );
    shop.cache.categories.change(category);
  };
  const what = `the new name of ${before === undefined ? `category ${id}` : quoted(before)}`;
  const undo = (named: string): Action => ({
    subject: `category-${id}`,
    running: 'Undoing…',
    what: `undoing ${what}`,
    run: async (key) => {
      const now = shop.cache.categories.peek(id)?.name;
      if (now !== undefined && now !== name && now !== named)
        return { text: `Not undone: it is called ${quoted(now)} now.` };
      await set(named, key);
      return { text: `Undone: the category is called ${quoted(named)} again.` };
    },
  });
  return {
    subject: `category-${id}`,
    running: 'Saving…',
    what,
    run: async (key) => {
      await set(name, key);
      return before === undefined
        ? { text: `Category ${id} is called ${quoted(name)}.` }
        : { text: `${quoted(before)} was renamed to ${quoted(name)}.`, undo: undo(before) };
    },
  };
}

/** Removes a category without animals. */
export const removeCategory = (shop: Shop, { id, name }: Category): Action => ({
  subject: `category-${id}`,
  running: 'Removing…',
  what: `the removal of the category ${quoted(name)}`,
  run: async (key) => {
    await shop.api.write((client, options) => client.removeCategory(id, options), key);
    shop.cache.categories.remove(id);
    return {
      text: `The category ${quoted(name)} was removed.`,
      undo: undoing(renameCategory(shop, id, name), `the category ${quoted(name)} is there again`),
    };
  },
});

/** An action as the Undo of another one. */
const undoing = (action: Action, past: string): Action => ({
  ...action,
  running: 'Undoing…',
  run: async (key) => {
    await action.run(key);
    return { text: `Undone: ${past}.` };
  },
});

/**
 * Moves every animal of a category to another one, one after the other, and removes the category. It cannot be undone, because nothing
 * records which animals were moved. Without an answer it stops, and continues where it was when the person tries again.
 */
export function mergeCategory(shop: Shop, { id, name, inventory }: Category, into: Category): Action {
  const subject = `category-${id}` as const;
  const all = count(sum(inventory));
  let moved = 0;
  return {
    subject,
    running: `Moving… 0 of ${all}`,
    what: `the move from ${quoted(name)} to ${quoted(into.name)}`,
    run: async (key) => {
      for (;;) {
        const { items } = await shop.api.read((client, options) =>
          client.listPets({ categoryId: id, limit: 100 }, options),
        );
        if (items.length === 0) break;
        for (const pet of items) {
          const change = { categoryId: into.id };
          await shop.api.write((client, options) => client.updatePet(pet.id, change, options)).catch(gone);
          shop.running.set(subject, `Moving… ${count(++moved)} of ${all}`);
        }
      }
      await shop.api.write((client, options) => client.removeCategory(id, options), key).catch(gone);
      shop.cache.categories.remove(id);
      return { text: `${count(moved)} moved to ${quoted(into.name)}, and ${quoted(name)} was removed.` };
    },
  };
}

/** An animal that was removed meanwhile need not be moved, and a category that no longer has a name need not be removed. */
function gone(error: unknown): void {
  if (statusOf(error) !== 404) throw error;
}
