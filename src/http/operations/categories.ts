import { type Category, categoryJson, categoryNotFound } from '../../contract/category.ts';
import { int64FromText } from '../../contract/int64.ts';
import type { Store } from '../../store/store.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { authorOf, createdAnswer, type Handlers, noContent } from './handler.ts';
import { page } from './paging.ts';

type CategoryHandlers = Pick<
  Handlers,
  'listCategories' | 'createCategory' | 'getCategory' | 'setCategory' | 'removeCategory'
>;

export function categoryHandlers(store: Store): CategoryHandlers {
  return {
    listCategories: cacheFirstPages(store, (call) =>
      page('listCategories', call, (query) => store.listCategories(query)),
    ),

    createCategory: async ({ request, body, idempotencyKey }) =>
      createdAnswer(await store.createCategory(body, idempotencyKey, authorOf(request)), categoryAnswer),

    async getCategory({ parameter }) {
      const category = await store.getCategory(categoryIdOf(parameter));
      if (!category) throw categoryNotFound();
      return categoryAnswer(200, category);
    },

    async setCategory({ request, parameter, body }) {
      const { category, created } = await store.setCategory(
        { id: categoryIdOf(parameter), ...body },
        authorOf(request),
      );
      return categoryAnswer(created ? 201 : 200, category);
    },

    async removeCategory({ request, parameter }) {
      await store.removeCategory(categoryIdOf(parameter), authorOf(request));
      return noContent();
    },
  };
}

function categoryIdOf(parameter: string): bigint {
  const id = int64FromText(parameter);
  if (id === undefined) throw categoryNotFound();
  return id;
}

const categoryAnswer = (status: number, category: Category): Answer =>
  jsonAnswer(status, categoryJson(category));
