import { ApiError } from '../contract/errors.ts';

/**
 * A new category gets the identifier after the greatest one below a ceiling that any category or animal uses: that is one step in an index,
 * however many there are. The first ceiling is where JavaScript clients lose precision; the next ones serve a store that uses identifiers
 * right below it.
 */
export const CEILINGS: readonly bigint[] = Array.from({ length: 22 }, (_, i) => 2n ** BigInt(53 - i));

/** Every column that refers to a category, removed animals included: they can be restored. */
export const CATEGORY_ID_COLUMNS = ['categories.id', 'pets.category_id', 'removed_pets.category_id'] as const;

/** The greatest identifier in use below a ceiling, as an SQL expression; 0 if there is none. `max` is the name of the scalar maximum. */
export function greatestBelow(ceiling: string, max: 'max' | 'greatest', columns: readonly string[]): string {
  const each = columns.map((name) => {
    const [table = '', column = ''] = name.split('.');
    return `coalesce((SELECT max(${column}) FROM ${table} WHERE ${column} < ${ceiling}), 0)`;
  });
  return `${max}(0, ${each.join(', ')})`;
}

export const noCategoryId = () =>
  new ApiError(
    'unavailable',
    'No identifier is left for a new category. Choose one with PUT /categories/{categoryId}.',
  );
