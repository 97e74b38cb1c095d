import { ApiError } from '../../contract/errors.ts';
import type { Pet } from '../../contract/pet.ts';
import { Batcher } from '../batcher.ts';
import type { Created, Store } from '../store.ts';
import { Database, type Pool } from './connection.ts';
import { cannotUse } from './errors.ts';
import { createFirstKey, createKey, listKeys, recordKeyUse, revokeKey } from './keys.ts';
import { migrate } from './migrate.ts';
import { forgetExpired } from './once.ts';
import { createOrder, listOrders, updateOrder } from './orders.ts';
import { countPets, getPet, listPets, sumInventory } from './pets.ts';
import { createWriter, type Write } from './writer.ts';

const TIDY_EVERY_MS = 10_000;
const FORGET_MOST = 200;
const WRITE_MS = 4500;

export async function openPostgres(url: string): Promise<Store> {
  const database = new Database(url);
  try {
    await database.run(migrate);
  } catch (error) {
    await database.end();
    throw cannotUse(url, error);
  }
  return createStore(database);
}

/** Reads as they come, on any connection; writes in batches. */
function createStore(database: Database): Store {
  const batcher = new Batcher<Write, unknown>(createWriter(database), { timeoutMs: WRITE_MS });
  const tidying = setInterval(() => void tidy().catch(() => {}), TIDY_EVERY_MS).unref();

  function read<Args extends unknown[], R>(query: (sql: Pool, ...args: Args) => Promise<R>) {
    return (...args: Args): Promise<R> => database.run((sql) => query(sql, ...args));
  }

  function write<Args extends unknown[], R>(change: (sql: Pool, ...args: Args) => Promise<R>) {
    return (...args: Args): Promise<R> => batcher.add({ run: (sql) => change(sql, ...args) }) as Promise<R>;
  }

  async function tidy(): Promise<void> {
    await database.run(sumInventory);
    while ((await database.run((sql) => forgetExpired(sql, FORGET_MOST))) === FORGET_MOST);
  }

  return {
    listPets: read(listPets),
    getPet: read(getPet),
    createPet: (pet, once) => batcher.add({ create: { pet, once } }) as Promise<Created<Pet>>,
    countPets: read(countPets),

    listOrders: read(listOrders),
    createOrder: write(createOrder),
    updateOrder: write(updateOrder),

    listKeys: read(listKeys),
    createKey: write(createKey),
    createFirstKey: write(createFirstKey),
    revokeKey: write(revokeKey),
    recordKeyUse: write(recordKeyUse),

    ready: write(assertWritable),
    async close() {
      clearInterval(tidying);
      await batcher.close();
      await database.end();
    },
  };
}

async function assertWritable(sql: Pool): Promise<void> {
  const [row] = await sql`SELECT current_setting('transaction_read_only') AS read_only`;
  if (row?.read_only !== 'off') throw new ApiError('unavailable', 'The database takes no writes now.');
}
