import { effect, signal } from '@preact/signals';
import type { Category } from '../../../../client/index.ts';
import { foldName } from '../../../../contract/name-key.ts';
import { watched } from './connection.ts';
import { session, signedIn } from './session.ts';

/** Names change rarely: they are loaded again after this time, and when the page of the categories is opened. */
const FRESH_MS = 30_000;
/** More than a person chooses from; further ones are shown by their number. */
const MOST = 1000;
/** Animals among which categories without a name are looked for: one page. */
const NEWEST = 100;

/** The names of categories by id, in order of name. */
export const categoryNames = signal<ReadonlyMap<bigint, string>>(new Map());
/** Categories of the newest animals that nobody has named, as far as they were looked for. */
export const unnamedCategories = signal<readonly bigint[]>([]);
let loadedAt = 0;

effect(() => {
  if (session.value) return;
  categoryNames.value = new Map();
  unnamedCategories.value = [];
  loadedAt = 0;
});

export async function loadCategories(isForced = false): Promise<void> {
  if (!isForced && Date.now() - loadedAt < FRESH_MS) return;
  const { reads, signal } = signedIn();
  const found = new Map<bigint, string>();
  let page = await watched(reads.listCategories({ limit: 100 }, { signal }));
  for (const { id, name } of page.items) found.set(id, name);
  while (page.next !== undefined && found.size < MOST) {
    page = await watched(reads.listCategories(page.next, { signal }));
    for (const { id, name } of page.items) found.set(id, name);
  }
  loadedAt = Date.now();
  categoryNames.value = found;
}

/** Another person has named, renamed or removed one: the next refresh loads the names again. */
export function expireCategories(): void {
  loadedAt = 0;
}

/** Looks for categories that only have a number, such as those of imported animals. */
export async function loadUnnamedCategories(): Promise<void> {
  const { reads, signal } = signedIn();
  const { items } = await watched(reads.listPets({ limit: NEWEST }, { signal }));
  const used = new Set(items.map(({ categoryId }) => categoryId));
  unnamedCategories.value = [...used].filter((id) => !categoryNames.peek().has(id)).sort(byNumber);
}

export const byNumber = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** The category with this name, ignoring case. */
export function categoryCalled(name: string): bigint | undefined {
  const wanted = foldName(name);
  for (const [id, known] of categoryNames.value) if (foldName(known) === wanted) return id;
  return undefined;
}

/** Adds a category. Its name is known at once, so that it can be chosen. */
export async function createCategory(name: string): Promise<Category> {
  const { writes, signal } = signedIn();
  const category = await writes.createCategory({ name }, { signal });
  setName(category);
  return category;
}

/** Shows the name at once, in its place. */
export function setName({ id, name }: Category): void {
  const names = new Map([...categoryNames.peek(), [id, name]]);
  categoryNames.value = new Map([...names].sort(([, a], [, b]) => (foldName(a) < foldName(b) ? -1 : 1)));
}

/** Forgets the name at once. */
export function forgetName(id: bigint): void {
  categoryNames.value = new Map([...categoryNames.peek()].filter(([known]) => known !== id));
}
