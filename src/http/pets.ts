import type { FastifyInstance } from 'fastify';
import { int64FromText } from '../contract/int64.ts';
import { operations } from '../contract/operations.ts';
import { petJson, petNotFound, petsJson } from '../contract/pet.ts';
import type { Store } from '../store/store.ts';
import { serve } from './operation.ts';
import { page } from './paging.ts';

export function servePets(app: FastifyInstance, store: Store): void {
  serve(app, operations.listPets, async ({ query: { limit, cursor, status, id: ids }, request, reply }) => {
    const scope = `pets?status=${status ?? ''}&id=${ids ?? ''}`;
    const fetch = (limit: number, before: bigint | undefined) =>
      store.listPets({ limit, status, before, ids });
    return petsJson(await page(request, reply, { scope, limit, cursor, fetch }));
  });

  serve(app, operations.createPet, async ({ body, once, reply }) => {
    const { value, replayed } = await store.createPet(body, once);
    if (replayed) reply.header('idempotent-replayed', 'true');
    return petJson(value);
  });

  serve(app, operations.getPet, async ({ params: { petId = '' } }) => {
    const id = int64FromText(petId);
    const pet = id === undefined ? undefined : await store.getPet(id);
    if (!pet) throw petNotFound();
    return petJson(pet);
  });
}
