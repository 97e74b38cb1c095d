import { categoryJson, categoryNotFound } from '../../contract/category.ts';
import type { Store } from '../../store/store.ts';
import { changeAnswer, jsonAnswer, locatedAnswer } from '../answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { type Handlers, idIn } from './handler.ts';
import { page } from './paging.ts';

export function categoryHandlers(store: Store) {
  return {
    listCategories: cacheFirstPages(store, (call) =>
      page('listCategories', call, (query) => store.listCategories(query)),
    ),

    createCategory: async ({ body, options }) =>
      locatedAnswer('categories', await store.createCategory(body, options)),

    async getCategory({ parameter }) {
      const category = await store.getCategory(idIn(parameter, categoryNotFound));
      if (!category) throw categoryNotFound();
      return jsonAnswer(200, categoryJson(category));
    },

    async setCategory({ parameter, body, options }) {
      const id = idIn(parameter, categoryNotFound);
      const result = await store.setCategory({ id, ...body }, options);
      return changeAnswer(200, result, ...(result.status === 201 ? ['location', `${id}`] : []));
    },

    removeCategory: async ({ parameter, options }) =>
      changeAnswer(204, await store.removeCategory(idIn(parameter, categoryNotFound), options)),
  } satisfies Partial<Handlers>;
}
