import type { FastifyInstance } from 'fastify';
import { int64FromText } from '../contract/int64.ts';
import { operations } from '../contract/operations.ts';
import { petJson, petNotFound, petsJson } from '../contract/pet.ts';
import type { Store } from '../store/store.ts';
import { created, serve } from './operation.ts';
import { page } from './paging.ts';

export function servePets(app: FastifyInstance, store: Store): void {
  serve(app, operations.listPets, async (call) =>
    petsJson(await page(call, ({ id: ids, ...query }) => store.listPets({ ...query, ids }))),
  );

  serve(app, operations.createPet, async ({ body, once, reply }) =>
    petJson(created(reply, await store.createPet(body, once))),
  );

  serve(app, operations.getPet, async ({ params: { petId = '' } }) => {
    const id = int64FromText(petId);
    const pet = id === undefined ? undefined : await store.getPet(id);
    if (!pet) throw petNotFound();
    return petJson(pet);
  });
}
