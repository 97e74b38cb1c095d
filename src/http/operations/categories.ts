import { type Category, categoryJson, categoryNotFound } from '../../contract/category.ts';
import type { Store } from '../../store/store.ts';
import { type Answer, jsonAnswer, locatedAnswer, noContent } from '../answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { type Handlers, idIn } from './handler.ts';
import { page } from './paging.ts';

export function categoryHandlers(store: Store) {
  return {
    listCategories: cacheFirstPages(store, (call) =>
      page('listCategories', call, (query) => store.listCategories(query)),
    ),

    createCategory: async ({ request, body, idempotencyKey }) =>
      locatedAnswer('categories', await store.createCategory(body, idempotencyKey, request.key?.author)),

    async getCategory({ parameter }) {
      const category = await store.getCategory(idIn(parameter, categoryNotFound));
      if (!category) throw categoryNotFound();
      return categoryAnswer(200, category);
    },

    async setCategory({ request, parameter, body }) {
      const category = { id: idIn(parameter, categoryNotFound), ...body };
      const { created } = await store.setCategory(category, request.key?.author);
      const inventory = await store.countPets(category.id);
      return categoryAnswer(created ? 201 : 200, { ...category, inventory });
    },

    async removeCategory({ request, parameter }) {
      await store.removeCategory(idIn(parameter, categoryNotFound), request.key?.author);
      return noContent();
    },
  } satisfies Partial<Handlers>;
}

const categoryAnswer = (status: number, category: Category): Answer =>
  jsonAnswer(status, categoryJson(category), ...(status === 201 ? ['location', `${category.id}`] : []));
