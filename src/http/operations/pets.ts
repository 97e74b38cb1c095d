import { int64FromText } from '../../contract/int64.ts';
import { petJson, petNotFound } from '../../contract/pet.ts';
import type { Store } from '../../store/store.ts';
import { jsonAnswer } from '../response/answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { createdAnswer, type Handlers } from './handler.ts';
import { page } from './paging.ts';

export function petHandlers(store: Store): Pick<Handlers, 'listPets' | 'createPet' | 'getPet'> {
  return {
    listPets: cacheFirstPages(store, (call) =>
      page('listPets', call, ({ id: ids, ...query }) => store.listPets({ ...query, ids })),
    ),

    createPet: async ({ body, idempotencyKey }) =>
      createdAnswer(await store.createPet(body, idempotencyKey), petJson),

    async getPet({ parameter }) {
      const id = int64FromText(parameter);
      const pet = id === undefined ? undefined : await store.getPet(id);
      if (!pet) throw petNotFound();
      return jsonAnswer(200, petJson(pet));
    },
  };
}
