import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import postgres from 'postgres';
import { openStore } from '../../../src/store/open.ts';
import { createDatabase, type Server } from '../../support/database/postgres.ts';
import { listPets } from '../../support/lists.ts';
import { animalStore, type Finished } from '../../support/service/process.ts';
import { type Kind, newStore } from './moved-store.ts';

export const pathOf = (url: string): string => url.slice('sqlite:'.length);

export const move = (from: string, to: string): Promise<Finished> =>
  animalStore(['move', '--database', from, '--to', to]);

/** A new store with this animal; its URL. */
export async function storeWith(t: TestContext, server: Server, kind: Kind, name = 'Rex'): Promise<string> {
  const url = await newStore(t, server, kind);
  const store = await openStore(url);
  await store.createPet({ name, categoryId: 1n, status: 'available' });
  await store.close();
  return url;
}

/** A PostgreSQL store with so many animals; its URL. */
export async function storeWithMany(server: Server, count: number): Promise<string> {
  const url = await createDatabase(server);
  await (await openStore(url)).close();
  const sql = connect(url);
  await sql`
    INSERT INTO pets (name, category_id, status, folded_name)
    SELECT 'Pet ' || n, 1, 'available', 'pet ' || n FROM generate_series(1, ${count}) AS n`;
  await sql.end();
  return url;
}

export const connect = (url: string) =>
  postgres(url, { max: 1, onnotice: () => {}, connection: { search_path: 'animal_store' } });

/** The names of its animals, at most ten, the newest first. */
export async function namesIn(url: string): Promise<string[]> {
  const store = await openStore(url);
  const pets = await listPets(store, { limit: 10 });
  await store.close();
  return pets.map(({ name }) => name);
}

/** Asserts that a command has printed one line of an error and nothing else. */
export function assertRefused({ code, stdout, stderr }: Finished, expected: number, says: RegExp): void {
  assert.match(stderr, says);
  assert.match(stderr, /^animal-store: [^\n]+\n$/);
  assert.deepEqual([code, stdout], [expected, '']);
}
