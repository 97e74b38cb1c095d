import { hash } from 'node:crypto';
import * as v from 'valibot';
import { ApiError } from './errors.ts';
import { Int64 } from './int64.ts';
import { jsonWriter } from './json.ts';
import { foldName } from './name-key.ts';
import { Inventory, inventoryJson } from './order.ts';
import { nameOf } from './validate.ts';

export const NewCategory = v.pipe(
  v.object({
    name: nameOf('The name of the category. No two categories have the same one, ignoring case.'),
  }),
  v.title('NewCategory'),
  v.description('The name to give to a category. Other fields are ignored.'),
);
export type NewCategory = v.InferOutput<typeof NewCategory>;

export const CategoryName = v.pipe(
  v.object({
    id: v.pipe(Int64, v.description('The identifier that animals refer to as `categoryId`.')),
    ...NewCategory.pipe[0].entries,
  }),
  v.title('CategoryName'),
  v.description('The identifier and the name of a category.'),
);
export type CategoryName = v.InferOutput<typeof CategoryName>;

export const Category = v.pipe(
  v.object({ ...CategoryName.pipe[0].entries, inventory: Inventory }),
  v.title('Category'),
  v.description('A name for the `categoryId` of animals, and how many animals belong to it.'),
);
export type Category = v.InferOutput<typeof Category>;

export const Categories = v.pipe(
  v.array(Category),
  v.title('Categories'),
  v.description('Categories, in order of name.'),
);

export const categoryNameJson = jsonWriter<CategoryName>(CategoryName);
export const categoryJson = ({ inventory, ...category }: Category): string =>
  `${categoryNameJson(category).slice(0, -1)},"inventory":${inventoryJson(inventory)}}`;

/** Equal for names that differ only by case. A digest, because a folded name can be too long for an index. */
export const categoryNameDigest = (name: string): string => hash('sha256', foldName(name), 'base64url');

export const categoryNotFound = () =>
  new ApiError('category_not_found', 'There is no category with this identifier.');
export const categoryExists = () =>
  new ApiError('category_exists', 'Another category has this name. Names are compared ignoring case.');
export const categoryInUse = () =>
  new ApiError('category_in_use', 'Animals belong to this category. Move them to another one first.');
