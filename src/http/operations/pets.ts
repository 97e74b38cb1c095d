import { ApiError } from '../../contract/errors.ts';
import { type Pet, petJson, petNotFound, petsJson } from '../../contract/pet.ts';
import { assertMatch, entityTag, isNoneMatch } from '../../contract/precondition.ts';
import type { Store } from '../../store/store.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { authorOf, createdAnswer, type Handlers, idIn, noContent } from './handler.ts';
import { page } from './paging.ts';

export function petHandlers(store: Store) {
  return {
    listPets: cacheFirstPages(store, (call) =>
      page('listPets', call, ({ removed, id: ids, ...query }) => {
        if (!removed) return store.listPets({ ...query, ids });
        const { limit, from, ...filters } = query;
        if (Object.values({ ids, ...filters }).some((value) => value !== undefined)) throw filteredRemoved();
        return store.listRemovedPets({ limit, from });
      }),
    ),

    createPet: async ({ request, body, idempotencyKey }) =>
      createdAnswer(await store.createPet(body, idempotencyKey, authorOf(request)), petAnswer),

    createPets: async ({ request, body, idempotencyKey }) =>
      createdAnswer(await store.createPets(body.pets, idempotencyKey, authorOf(request)), (status, pets) =>
        jsonAnswer(status, petsJson(pets)),
      ),

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
      petAnswer(
        200,
        await store.updatePet(idIn(parameter, petNotFound), body, precondition, authorOf(request)),
      ),

    async removePet({ request, parameter, precondition }) {
      await store.removePet(idIn(parameter, petNotFound), precondition, authorOf(request));
      return noContent();
    },

    restorePet: async ({ request, parameter }) =>
      petAnswer(200, await store.restorePet(idIn(parameter, petNotFound), authorOf(request))),
  } satisfies Partial<Handlers>;
}

function petAnswer(status: number, pet: Pet): Answer {
  const json = petJson(pet);
  return jsonAnswer(status, json, 'etag', entityTag(json));
}

const filteredRemoved = () =>
  new ApiError('invalid_parameter', 'removed cannot be combined with a filter: leave the others out.');
