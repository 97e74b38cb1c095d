import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'valibot';
import { UsageError } from '../config.ts';
import type { CategoryName } from '../contract/category.ts';
import type { Position } from '../contract/cursor.ts';
import { ApiError, type ErrorCode } from '../contract/errors.ts';
import { INT64_MAX, INT64_MIN, int64FromText } from '../contract/int64.ts';
import { parseJson } from '../contract/json.ts';
import { type Pet, Pets, petJson } from '../contract/pet.ts';
import { entityTag } from '../contract/precondition.ts';
import type { Page, Store } from '../store/store.ts';
import type { Command } from './command.ts';
import { withStore } from './database.ts';
import { count, print } from './io.ts';
import { ProgressReport } from './progress.ts';

/** Animals that are moved at once, in one or a few commits: other writers wait for milliseconds, and get their turn after each. */
const BATCH = 100;

export const mergeCategories: Command = {
  summary: 'Move every animal of a category to another one, then remove its name.',
  details:
    'The service may run meanwhile: animals that are added to the category are moved as well. If the command is interrupted, run it again.\n' +
    'A negative ID comes after two hyphens, for example: animal-store categories merge --into=-3 -- -7',
  positionals: ['ID'],
  settings: ['database'],
  flags: { into: { type: 'string', meaning: 'the category that the animals move to (required)' } },
  async run({ config, flags, io, positionals: [text = ''] }) {
    const from = idOf(text, 'ID');
    if (flags.into === undefined) throw new UsageError('--into is required, for example --into 3');
    const into = idOf(String(flags.into), '--into');
    if (from === into) throw new UsageError('--into must name another category');
    await withStore({ config }, async (store) => {
      const target = await namedTarget(store, into);
      const named = await store.getCategory(from);
      const { available, pending, sold } = await store.countPets(from);
      const total = Number(available + pending + sold);
      if (!named && total === 0) throw new Error(`there is no category ${from}`);
      let moved = 0;
      const progress = new ProgressReport(io, () => Math.min(1, moved / total), 'animals');
      try {
        for await (const animals of moveAnimals(store, from, into)) {
          moved += animals;
          progress.add(animals);
        }
      } catch (error) {
        if (moved > 0)
          progress.note(`Moved ${count(moved, 'animal')} so far: run the command again to continue.`);
        throw error;
      } finally {
        progress.clear();
      }
      const names = `category ${titleOf(named ?? { id: from })} to category ${titleOf(target)}`;
      print(io, `Moved ${count(moved, 'animal')} from ${names}.`);
      if (named) print(io, `Category ${from} no longer has a name.`);
    });
  },
};

function idOf(text: string, name: string): bigint {
  const id = int64FromText(text);
  if (id === undefined)
    throw new UsageError(`${name} must be a whole number from ${INT64_MIN} to ${INT64_MAX}, not "${text}"`);
  return id;
}

async function namedTarget(store: Store, id: bigint): Promise<CategoryName> {
  const target = await store.getCategory(id);
  if (target) return target;
  throw new Error(`category ${id} has no name: name it first in the console, or with PUT /categories/${id}`);
}

const titleOf = ({ id, name }: Partial<CategoryName>): string =>
  name === undefined ? `${id}` : `${id} (${name})`;

/** Moves the animals of a category to another one until there are none, and removes its name. Yields how many it has moved at once. */
export async function* moveAnimals(store: Store, from: bigint, into: bigint): AsyncGenerator<number> {
  for (let isEmpty = false; !isEmpty; ) {
    isEmpty = true;
    let position: Position | undefined;
    do {
      // Another merge, in the other direction, may have removed it: then both categories would end without a name.
      await namedTarget(store, into);
      const startedAt = performance.now();
      const page = await store.listPets({ limit: BATCH, categoryId: from, from: position });
      const pets = petsOf(page);
      if (pets.length > 0) {
        isEmpty = false;
        yield* moveAtOnce(store, pets, into);
        await sleep(performance.now() - startedAt);
      }
      position = page.next;
    } while (position);
    // Animals that were added meanwhile are on no page of the walk.
    if (isEmpty) isEmpty = await removeName(store, from);
  }
}

/** The animals of a page, which a store returns as JSON. */
const petsOf = ({ json }: Page): Pet[] =>
  parse(Pets, parseJson(typeof json === 'string' ? json : new TextDecoder().decode(json)));

/**
 * Yields how many of the animals it has moved. The others have been removed or changed since they were read, perhaps to a third category.
 * The next walk finds those that still have to be moved.
 */
async function* moveAtOnce(store: Store, pets: readonly Pet[], into: bigint): AsyncGenerator<number> {
  const outcomes = await Promise.allSettled(
    pets.map((pet) => {
      const precondition = { ifMatch: [entityTag(petJson(pet))] };
      return store.updatePet(pet.id, { categoryId: into }, { precondition });
    }),
  );
  yield outcomes.filter(({ status }) => status === 'fulfilled').length;
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expectOneOf(outcome.reason, ['pet_not_found', 'precondition_failed']);
}

/** False if the category has animals again. */
async function removeName(store: Store, id: bigint): Promise<boolean> {
  try {
    await store.removeCategory(id);
    return true;
  } catch (error) {
    return expectOneOf(error, ['category_not_found', 'category_in_use']) === 'category_not_found';
  }
}

/** Throws any other error. */
function expectOneOf(error: unknown, codes: readonly ErrorCode[]): ErrorCode {
  const code = error instanceof ApiError ? error.code : undefined;
  if (code === undefined || !codes.includes(code)) throw error;
  return code;
}
