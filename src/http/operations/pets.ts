import { petJson, petNotFound } from '../../contract/pet.ts';
import { assertMatch, entityTag, isNoneMatch } from '../../contract/precondition.ts';
import type { Result, Store } from '../../store/store.ts';
import { type Answer, changeAnswer, jsonAnswer } from '../answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { type Handlers, idIn } from './handler.ts';
import { page } from './paging.ts';

export function petHandlers(store: Store) {
  return {
    listPets: cacheFirstPages(store, (call) =>
      page(listOf(call.query), call, ({ removed, id: ids, ...query }) =>
        removed ? store.listRemovedPets({ ...query, ids }) : store.listPets({ ...query, ids }),
      ),
    ),

    createPet: async ({ body, options }) => petAnswer(201, await store.createPet(body, options)),

    createPets: async ({ body, options }) => changeAnswer(201, await store.createPets(body.pets, options)),

    async getPet({ parameter, options: { precondition } }) {
      const pet = await store.getPet(idIn(parameter, petNotFound));
      if (!pet) throw petNotFound();
      const json = petJson(pet);
      const tag = entityTag(json);
      if (precondition) {
        assertMatch(precondition, tag);
        if (!isNoneMatch(precondition, tag)) return { status: 304, headers: ['etag', tag], body: '' };
      }
      return jsonAnswer(200, json, 'etag', tag);
    },

    updatePet: async ({ parameter, body, options }) =>
      petAnswer(200, await store.updatePet(idIn(parameter, petNotFound), body, options)),

    removePet: async ({ parameter, query, options }) =>
      changeAnswer(204, await store.removePet(idIn(parameter, petNotFound), query.reason, options)),

    restorePet: async ({ parameter, options }) =>
      petAnswer(200, await store.restorePet(idIn(parameter, petNotFound), options)),
  } satisfies Partial<Handlers>;
}

/** A search has its own name in cursors, because early versions issued cursors for searches in another order. */
const listOf = ({ name }: { readonly name?: string | undefined }): string =>
  name === undefined ? 'listPets' : 'listPets by name';

const petAnswer = (status: number, result: Result): Answer =>
  changeAnswer(status, result, 'etag', entityTag(result.json));
