import { openStore } from '../../src/store/open.ts';
import { CATEGORY_NAME, NAMED_CATEGORIES } from './rows.ts';

/** Creates our own tables in an empty database, without animals, and names the first categories. */
export async function createTables(url: string): Promise<void> {
  const store = await openStore(url);
  for (let id = 1; id <= NAMED_CATEGORIES; id++)
    await store.setCategory({ id: BigInt(id), name: `${CATEGORY_NAME} ${id}` });
  await store.close();
}
