import { ApiError } from '../../contract/errors.ts';
import type { Pet } from '../../contract/pet.ts';
import { Batcher } from '../batcher.ts';
import { printable } from '../printable.ts';
import { type Created, type Store, StoreError } from '../store.ts';
import { assertWritable, Database, type Db } from './connection.ts';
import { cannotUse } from './errors.ts';
import { listKeyChanges } from './key-changes.ts';
import { createFirstKey, createKey, listKeys, recordKeyUse, revokeKey } from './keys.ts';
import { migrate } from './migrate.ts';
import { forgetExpired } from './once.ts';
import { createOrder, listOrders, updateOrder } from './orders.ts';
import { countPets, getPet, listPets, type PetToCreate, sumInventory } from './pets.ts';
import { type Address, parseUrl } from './url.ts';
import { createWriter } from './writer.ts';

const TIDY_EVERY_MS = 10_000;
const FORGET_MOST = 200;
const WRITE_MS = 4500;

export async function openPostgres(url: string): Promise<Store> {
  let address: Address;
  try {
    address = parseUrl(url);
  } catch (error) {
    throw cannotUse(url, error);
  }
  // Reads have connections of their own: a commit that waits for a lost standby never stands before them.
  const reads = new Database(address);
  const writes = new Database(address);
  try {
    await migrate(reads, address, printable(url));
    await reads.run(assertDurable);
    return createStore(reads, writes);
  } catch (error) {
    await Promise.all([reads.end(), writes.end()]);
    throw cannotUse(url, error);
  }
}

/** An acknowledged write must be on disk; a server can be set to say so before it is. */
async function assertDurable(sql: Db): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const [row] = await sql`SELECT current_setting(${setting}) AS value`;
    if (row?.value === 'off')
      throw new StoreError(`the database acknowledges what is not yet on disk: set ${setting} to on`);
  }
}

/** Every call goes its own way; creates go together. */
function createStore(reads: Database, writes: Database): Store {
  const batcher = new Batcher<PetToCreate, Created<Pet>>(createWriter(writes), { timeoutMs: WRITE_MS });
  const tidying = setInterval(() => void tidy(), TIDY_EVERY_MS).unref();
  let closed = false;

  function call<Args extends unknown[], R>(database: Database, work: (sql: Db, ...args: Args) => Promise<R>) {
    return async (...args: Args): Promise<R> => {
      if (closed) throw new ApiError('unavailable', 'The store is closed.');
      return database.run((sql) => work(sql, ...args));
    };
  }

  /** What fails now is done the next time. */
  async function tidy(): Promise<void> {
    await writes.run(sumInventory).catch(() => {});
    let forgotten = FORGET_MOST;
    while (forgotten === FORGET_MOST) {
      forgotten = await writes.run((sql) => forgetExpired(sql, FORGET_MOST)).catch(() => 0);
    }
  }

  return {
    listPets: call(reads, listPets),
    getPet: call(reads, getPet),
    createPet: (pet, once) => batcher.add({ pet, once }),
    countPets: call(reads, countPets),

    listOrders: call(reads, listOrders),
    createOrder: call(writes, createOrder),
    updateOrder: call(writes, updateOrder),

    listKeys: call(reads, listKeys),
    listKeyChanges: call(reads, listKeyChanges),
    createKey: call(writes, createKey),
    createFirstKey: call(writes, createFirstKey),
    revokeKey: call(writes, revokeKey),
    recordKeyUse: call(writes, recordKeyUse),

    ready: call(writes, assertWritable),
    async close() {
      closed = true;
      clearInterval(tidying);
      await batcher.close();
      await Promise.all([reads.end(), writes.end()]);
    },
  };
}
