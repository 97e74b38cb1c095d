import type { Pet } from '../../../../client/index.ts';
import { route } from '../route.ts';
import { findAnimals, MOST } from './find.ts';
import { animalQuery } from './store.ts';

/** Every animal that matches the present filter, page by page, each of them once: not only those on screen. */
export async function* matchingAnimals(): AsyncGenerator<readonly Pet[], void, undefined> {
  const seen = new Set<bigint>();
  let page = await findAnimals({ ...animalQuery(route.peek()), limit: MOST });
  for (;;) {
    const fresh = page.items.filter(({ id }) => !seen.has(id));
    for (const { id } of fresh) seen.add(id);
    yield fresh;
    if (page.next === undefined) return;
    page = await findAnimals(page.next);
  }
}
