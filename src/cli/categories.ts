import { UsageError } from '../config.ts';
import { Categories, type Category, CategoryName, categoryJson } from '../contract/category.ts';
import type { Position } from '../contract/cursor.ts';
import { ApiError } from '../contract/errors.ts';
import { INT64_MAX, INT64_MIN, int64FromText } from '../contract/int64.ts';
import type { Inventory } from '../contract/order.ts';
import { validate } from '../contract/validate.ts';
import type { Store } from '../store/store.ts';
import { type Command, jsonFlag } from './command.ts';
import { withStore } from './database.ts';
import { asTyped, count, print, table, visible } from './io.ts';
import { itemsOf } from './page-items.ts';

const PAGE = 1000;
const COUNTS = ['AVAILABLE', 'PENDING', 'SOLD'];
export const NEGATIVE = 'A negative ID comes after two hyphens, for example: animal-store categories';

export const listCategories: Command = {
  summary: 'List the categories in order of name, with the number of their animals.',
  positionals: [],
  settings: ['database'],
  flags: { json: jsonFlag },
  async run({ config, flags, io }) {
    const { categories, others } = await withStore({ config }, async (store) => {
      const categories = await readAll(store);
      return { categories, others: without(categories, await store.countPets()) };
    });
    if (flags.json) return print(io, `[${categories.map(categoryJson).join()}]`);
    if (categories.length === 0)
      return print(
        io,
        asTyped(io, 'There are no categories yet. Name one: animal-store categories set 1 "Dogs"'),
      );
    table(
      io,
      ['ID', 'NAME', ...COUNTS],
      categories.map(({ id, name, inventory: { available, pending, sold } }) =>
        [id, name, available, pending, sold].map(String),
      ),
      COUNTS,
    );
    if (others > 0n) print(io, `\n${count(Number(others), 'animal')} of categories without a name.`);
  },
};

/** How many animals belong to none of the categories. */
const without = (categories: readonly Category[], all: Inventory): bigint =>
  categories.reduce((left, { inventory }) => left - sumOf(inventory), sumOf(all));

const sumOf = ({ available, pending, sold }: Inventory): bigint => available + pending + sold;

export const setCategory: Command = {
  summary: 'Name or rename a category: the animals with this categoryId.',
  details: `${NEGATIVE} set -- -7 "Dogs"`,
  positionals: ['ID', 'NAME'],
  settings: ['database'],
  flags: { json: jsonFlag },
  async run({ config, flags, io, positionals: [id = '', name = ''] }) {
    const { value, problems } = validate<CategoryName>(CategoryName, { id: idOf(id), name });
    if (value === undefined) throw new UsageError(`the category's ${problems.join('; ')}`);
    const { json, status } = await withStore({ config }, (store) => store.setCategory(value));
    if (flags.json) return print(io, json);
    print(io, `${status === 201 ? 'Named' : 'Renamed'} category ${value.id}: ${visible(value.name)}`);
  },
};

export const removeCategory: Command = {
  summary: 'Remove a category that no animal has.',
  details: `${NEGATIVE} remove -- -7`,
  positionals: ['ID'],
  settings: ['database'],
  flags: {},
  async run({ config, io, positionals: [text = ''] }) {
    const id = idOf(text);
    await withStore({ config }, (store) => store.removeCategory(id)).catch((error: unknown) => {
      const isMissing = error instanceof ApiError && error.code === 'category_not_found';
      throw isMissing ? noSuchCategory(id) : error;
    });
    print(io, `Removed category ${id}.`);
  },
};

export const noSuchCategory = (id: bigint) =>
  new Error(`there is no category ${id}: run animal-store categories list to see all categories`);

async function readAll(store: Store): Promise<Category[]> {
  const all: Category[] = [];
  let from: Position | undefined;
  do {
    const page = await store.listCategories({ limit: PAGE, from });
    all.push(...itemsOf(Categories, page));
    from = page.next;
  } while (from);
  return all;
}

export function idOf(text: string, name = 'ID'): bigint {
  const id = int64FromText(text);
  if (id === undefined)
    throw new UsageError(`${name} must be a whole number from ${INT64_MIN} to ${INT64_MAX}, not "${text}"`);
  return id;
}
