import { UsageError } from '../config.ts';
import { type SampleShop, sampleShop } from '../data/sample-shop.ts';
import { sampleCategories, samplePets } from '../data/samples.ts';
import type { DumpChunk } from '../store/tools/dump.ts';
import { fillEmptyStore, importPets } from '../store/tools/import-export.ts';
import type { ImportedPet } from '../store/tools/pet-transfer.ts';
import type { Command } from './command.ts';
import { assertDatabase, createFlag, hintAboutKeys } from './database.ts';
import { count, print, seconds } from './io.ts';
import { ProgressReport } from './progress.ts';

const MAX_COUNT = 10_000_000;
const MAX_ORDERED = 10_000;
const MAX_SEED = 2 ** 31 - 1;
const BATCH = 5000;

export const seed: Command = {
  summary: 'Add sample animals and their categories for a demonstration, all of them or none.',
  details:
    `Into an empty store, up to ${MAX_ORDERED.toLocaleString('en')} animals come with what has happened to them in the last four weeks: some are\n` +
    'reserved or sold, each by an order with the name of a key. More animals, or those that are\n' +
    'added to a store that is or was in use, are all available.',
  positionals: ['COUNT'],
  settings: ['database'],
  flags: {
    seed: { type: 'string', meaning: 'a number; the same one gives the same animals; default: 1' },
    create: createFlag,
  },
  async run(invocation) {
    const { config, flags, io, positionals } = invocation;
    const [text = ''] = positionals;
    const total = wholeNumber('COUNT', text, 1, MAX_COUNT);
    const number = wholeNumber('--seed', String(flags.seed ?? 1), 0, MAX_SEED);
    const create = flags.create === true;
    assertDatabase(config, create);
    const progress = new ProgressReport(io, () => made / total);
    let made = 0;
    let orders = '';

    /** Gives the categories by name: their identifiers may belong to others in this store. */
    async function* batches(): AsyncGenerator<ImportedPet[]> {
      let batch: ImportedPet[] = [];
      for (const { name, categoryId } of samplePets(total, number)) {
        const category = sampleCategories.find(({ id }) => id === categoryId)?.name;
        made++;
        if (batch.push({ name, category, status: 'available' }) < BATCH && made < total) continue;
        progress.add(batch.length);
        yield batch;
        batch = [];
      }
    }

    const isCheck = () => {
      progress.step('Adding the animals to the store …');
      return false;
    };

    const shop = total <= MAX_ORDERED ? sampleShop(total, number, new Date()) : undefined;
    if (shop && (await fillEmptyStore(config.database, chunksOf(shop), create)))
      orders = ` and ${count(shop.orders.length, 'order')}`;
    else await importPets(config.database, batches(), { create, isCheck });
    progress.clear();
    const added = `Added ${count(total, 'sample animal')}${orders}`;
    print(io, `${added} in ${seconds(progress.elapsedMs)} (seed ${number}).`);
    await hintAboutKeys(invocation);
  },
};

const chunksOf = (shop: SampleShop): DumpChunk[] =>
  (Object.keys(shop) as (keyof SampleShop)[]).map((resource) => ({ resource, items: shop[resource] }));

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  const range = `${min.toLocaleString('en')} to ${max.toLocaleString('en')}`;
  throw new UsageError(`${name} must be a whole number from ${range}, not "${text}"`);
}
