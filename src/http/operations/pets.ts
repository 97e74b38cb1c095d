import { type Pet, petJson, petNotFound } from '../../contract/pet.ts';
import { assertMatch, entityTag, isNoneMatch } from '../../contract/precondition.ts';
import type { Store } from '../../store/store.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { authorOf, createdAnswer, type Handlers, idIn, noContent } from './handler.ts';
import { page } from './paging.ts';

export function petHandlers(store: Store) {
  return {
    listPets: cacheFirstPages(store, (call) =>
      page('listPets', call, ({ removed, id: ids, ...query }) =>
        removed ? store.listRemovedPets(query) : store.listPets({ ...query, ids }),
      ),
    ),

    async createPet({ request, body, idempotencyKey }) {
      const created = await store.createPet(body, idempotencyKey, authorOf(request));
      return createdAnswer(created, 'etag', entityTag(created.json));
    },

    createPets: async ({ request, body, idempotencyKey }) =>
      createdAnswer(await store.createPets(body.pets, idempotencyKey, authorOf(request))),

    async getPet({ parameter, precondition }) {
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

    updatePet: async ({ request, parameter, body, precondition }) =>
      petAnswer(await store.updatePet(idIn(parameter, petNotFound), body, precondition, authorOf(request))),

    async removePet({ request, parameter, precondition }) {
      await store.removePet(idIn(parameter, petNotFound), precondition, authorOf(request));
      return noContent();
    },

    restorePet: async ({ request, parameter }) =>
      petAnswer(await store.restorePet(idIn(parameter, petNotFound), authorOf(request))),
  } satisfies Partial<Handlers>;
}

function petAnswer(pet: Pet): Answer {
  const json = petJson(pet);
  return jsonAnswer(200, json, 'etag', entityTag(json));
}
