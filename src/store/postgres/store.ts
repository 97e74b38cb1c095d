import { ApiError } from '../../contract/errors.ts';
import type { Pet } from '../../contract/pet.ts';
import { Batcher } from '../batcher.ts';
import { printable } from '../printable.ts';
import { type Created, type Store, StoreError } from '../store.ts';
import { connect, Database, type Db, type Pool } from './connection.ts';
import { cannotUse, readOnlyError } from './errors.ts';
import { createFirstKey, createKey, listKeys, recordKeyUse, revokeKey } from './keys.ts';
import { migrate } from './migrate.ts';
import { forgetExpired } from './once.ts';
import { createOrder, listOrders, updateOrder } from './orders.ts';
import { countPets, getPet, listPets, type PetToCreate, sumInventory } from './pets.ts';
import { parseUrl } from './url.ts';
import { createWriter } from './writer.ts';

const TIDY_EVERY_MS = 10_000;
const FORGET_MOST = 200;
const WRITE_MS = 4500;

export async function openPostgres(url: string): Promise<Store> {
  let sql: Pool | undefined;
  try {
    const address = parseUrl(url);
    // A migration may take its time, or wait for the one that another instance runs.
    sql = connect(address, { statementMs: 0 });
    await migrate(sql, printable(url));
    await assertDurable(sql);
    return createStore(new Database(address));
  } catch (error) {
    throw cannotUse(url, error);
  } finally {
    await sql?.end({ timeout: 2 });
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

/** Every call goes its own way to the pool; creates go together. */
function createStore(database: Database): Store {
  const write = createWriter(database);
  const batcher = new Batcher<PetToCreate, Created<Pet>>(write, { timeoutMs: WRITE_MS });
  const tidying = setInterval(() => void tidy(), TIDY_EVERY_MS).unref();
  let closed = false;

  function call<Args extends unknown[], R>(work: (sql: Db, ...args: Args) => Promise<R>) {
    return async (...args: Args): Promise<R> => {
      if (closed) throw new ApiError('unavailable', 'The store is closed.');
      return database.run((sql) => work(sql, ...args));
    };
  }

  /** What fails now is done the next time. */
  async function tidy(): Promise<void> {
    await database.run(sumInventory).catch(() => {});
    let forgotten = FORGET_MOST;
    while (forgotten === FORGET_MOST) {
      forgotten = await database.run((sql) => forgetExpired(sql, FORGET_MOST)).catch(() => 0);
    }
  }

  return {
    listPets: call(listPets),
    getPet: call(getPet),
    createPet: (pet, once) => batcher.add({ pet, once }),
    countPets: call(countPets),

    listOrders: call(listOrders),
    createOrder: call(createOrder),
    updateOrder: call(updateOrder),

    listKeys: call(listKeys),
    createKey: call(createKey),
    createFirstKey: call(createFirstKey),
    revokeKey: call(revokeKey),
    recordKeyUse: call(recordKeyUse),

    ready: call(assertWritable),
    async close() {
      closed = true;
      clearInterval(tidying);
      await batcher.close();
      await database.end();
    },
  };
}

async function assertWritable(sql: Db): Promise<void> {
  const [row] = await sql`SELECT current_setting('transaction_read_only') AS read_only`;
  if (row?.read_only !== 'off') throw readOnlyError();
}
