import * as v from 'valibot';
import { Categories, Category, NewCategory } from '../category.ts';
import { bodyErrors, type OperationDefinition } from '../operation.ts';
import { categoryIdParameter, namePrefix, paging } from '../parameters.ts';
import { query } from '../validate.ts';

export const categoryOperations = {
  listCategories: {
    method: 'GET',
    path: '/categories',
    scope: 'pets:read',
    summary: 'List categories',
    description:
      'The categories that have a name, in order of name, in pages as in `listPets`; one that is renamed meanwhile can come twice, or not at all.',
    query: query({
      ...paging,
      name: v.optional(
        namePrefix(
          'Restricts the result to categories whose name begins with this text, ignoring case.',
          'do',
        ),
      ),
    }),
    answer: { status: 200, schema: Categories, paged: true },
  },
  createCategory: {
    method: 'POST',
    path: '/categories',
    scope: 'pets:write',
    summary: 'Add a category',
    description:
      'The category gets an identifier that no category and no animal uses, and that no category ever had.',
    body: NewCategory,
    answer: { status: 201, schema: Category, located: true },
    errors: [...bodyErrors, 'category_exists'],
  },
  getCategory: {
    method: 'GET',
    path: '/categories/{categoryId}',
    scope: 'pets:read',
    summary: 'Get a category',
    description:
      'Returns the name of a category and the number of its animals by status. Not every `categoryId` of an animal has a name.',
    params: v.object({ categoryId: categoryIdParameter }),
    answer: { status: 200, schema: Category },
    errors: ['category_not_found'],
  },
  setCategory: {
    method: 'PUT',
    path: '/categories/{categoryId}',
    scope: 'pets:write',
    summary: 'Name or rename a category',
    description:
      'Gives a name to any identifier, even one that animals use already. The response is 201 if it had none, otherwise 200.',
    params: v.object({ categoryId: categoryIdParameter }),
    body: NewCategory,
    answer: { status: 200, schema: Category, mayCreate: true },
    errors: [...bodyErrors, 'category_not_found', 'category_exists'],
  },
  removeCategory: {
    method: 'DELETE',
    path: '/categories/{categoryId}',
    scope: 'pets:write',
    summary: 'Remove a category',
    description: 'Removes the name of a category to which no animal belongs.',
    params: v.object({ categoryId: categoryIdParameter }),
    answer: { status: 204 },
    errors: ['category_not_found', 'category_in_use'],
  },
} as const satisfies Record<string, OperationDefinition>;
