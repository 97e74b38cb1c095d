import { ApiError } from '../../contract/errors.ts';
import { int64FromText } from '../../contract/int64.ts';
import { type Pet, petJson, petNotFound, petsJson } from '../../contract/pet.ts';
import { assertMatch, entityTag, isNoneMatch } from '../../contract/precondition.ts';
import type { Store } from '../../store/store.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { cacheFirstPages } from './first-page-cache.ts';
import { authorOf, createdAnswer, type Handlers, noContent } from './handler.ts';
import { page } from './paging.ts';

type PetHandlers = Pick<
  Handlers,
  'listPets' | 'createPet' | 'createPets' | 'getPet' | 'updatePet' | 'removePet' | 'restorePet'
>;

export function petHandlers(store: Store): PetHandlers {
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
      const id = int64FromText(parameter);
      const pet = id === undefined ? undefined : await store.getPet(id);
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
      petAnswer(200, await store.updatePet(petIdOf(parameter), body, precondition, authorOf(request))),

    async removePet({ request, parameter, precondition }) {
      await store.removePet(petIdOf(parameter), precondition, authorOf(request));
      return noContent();
    },

    restorePet: async ({ request, parameter }) =>
      petAnswer(200, await store.restorePet(petIdOf(parameter), authorOf(request))),
  };
}

function petIdOf(parameter: string): bigint {
  const id = int64FromText(parameter);
  if (id === undefined) throw petNotFound();
  return id;
}

function petAnswer(status: number, pet: Pet): Answer {
  const json = petJson(pet);
  return jsonAnswer(status, json, 'etag', entityTag(json));
}

const filteredRemoved = () =>
  new ApiError('invalid_parameter', 'removed cannot be combined with a filter: leave the others out.');
