import { int64FromText } from '../contract/int64.ts';
import { petJson, petNotFound, petsJson } from '../contract/pet.ts';
import type { Store } from '../store/store.ts';
import { keepFinished } from './finished.ts';
import { created, type Handlers } from './operation.ts';
import { page } from './paging.ts';

export function petHandlers(store: Store): Pick<Handlers, 'listPets' | 'createPet' | 'getPet'> {
  return {
    listPets: keepFinished(store, (call) =>
      page(call, petsJson, ({ id: ids, ...query }) => store.listPets({ ...query, ids })),
    ),

    createPet: async ({ body, once }) => created(await store.createPet(body, once), petJson),

    async getPet({ params: { petId = '' } }) {
      const id = int64FromText(petId);
      const pet = id === undefined ? undefined : await store.getPet(id);
      if (!pet) throw petNotFound();
      return { text: petJson(pet) };
    },
  };
}
