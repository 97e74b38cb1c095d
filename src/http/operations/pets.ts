import { type Pet, petJson, petNotFound } from '../../contract/pet.ts';
import { assertMatch, entityTag, isNoneMatch } from '../../contract/precondition.ts';
import type { Store } from '../../store/store.ts';
import { type Answer, createdAnswer, jsonAnswer, noContent } from '../answer.ts';
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

    async createPet({ request, body, idempotencyKey }) {
      const created = await store.createPet(body, idempotencyKey, request.key?.author);
      return createdAnswer(created, 'etag', entityTag(created.json));
    },

    createPets: async ({ request, body, idempotencyKey }) =>
      createdAnswer(await store.createPets(body.pets, idempotencyKey, request.key?.author)),

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
      petAnswer(await store.updatePet(idIn(parameter, petNotFound), body, precondition, request.key?.author)),

    async removePet({ request, parameter, query, precondition }) {
      const id = idIn(parameter, petNotFound);
      await store.removePet(id, query.reason, precondition, request.key?.author);
      return noContent();
    },

    restorePet: async ({ request, parameter }) =>
      petAnswer(await store.restorePet(idIn(parameter, petNotFound), request.key?.author)),
  } satisfies Partial<Handlers>;
}

/** Not the name under which cursors were issued while a search was in order of name: they lead to other places. */
const listOf = ({ name }: { readonly name?: string | undefined }): string =>
  name === undefined ? 'listPets' : 'listPets by name';

function petAnswer(pet: Pet): Answer {
  const json = petJson(pet);
  return jsonAnswer(200, json, 'etag', entityTag(json));
}
