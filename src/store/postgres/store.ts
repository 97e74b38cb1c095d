import type { Pet } from '../../contract/pet.ts';
import { Batcher, type WriteMonitor } from '../batcher.ts';
import { printable } from '../printable.ts';
import { type Created, type Store, StoreError } from '../store.ts';
import { assertWritable, Database, type Db } from './connection.ts';
import { type Access, cannotUse, unavailable } from './errors.ts';
import { fillNameKeys } from './fill-name-keys.ts';
import { deleteExpired } from './idempotency.ts';
import { listKeyChanges } from './key-changes.ts';
import { createFirstKey, createKey, listKeys, recordKeyUse, revokeKey, rotateKey } from './keys.ts';
import { migrate } from './migrate.ts';
import { createOrder, listOrders, updateOrder } from './orders.ts';
import { compactInventory, countPets, type PetToCreate, petReads } from './pets.ts';
import { type Address, parseUrl } from './url.ts';
import { createWriter } from './writer.ts';

const MAINTENANCE_MS = 10_000;
const DELETE_MAX = 200;
const WRITE_MS = 4500;

export async function openPostgres(url: string, monitor?: WriteMonitor): Promise<Store> {
  let address: Address;
  try {
    address = parseUrl(url);
  } catch (error) {
    throw cannotUse(url, error);
  }
  // Reads have their own connections: they never wait for a commit that waits for a lost standby.
  const reads = new Database(address);
  const writes = new Database(address);
  try {
    await migrate(reads, address, printable(url));
    await reads.read(assertDurable);
    return createStore(reads, writes, monitor);
  } catch (error) {
    await Promise.all([reads.end(), writes.end()]);
    throw cannotUse(url, error);
  }
}

/** A server can be configured to acknowledge a write before it is on disk. */
export async function assertDurable(sql: Db): Promise<void> {
  for (const setting of ['fsync', 'synchronous_commit']) {
    const [row] = await sql`SELECT current_setting(${setting}) AS value`;
    if (row?.value === 'off')
      throw new StoreError(`the database acknowledges writes before they are on disk: set ${setting} to on`);
  }
}

async function databaseSize(sql: Db): Promise<number> {
  const [row] = await sql`SELECT pg_database_size(current_database())::text AS bytes`;
  return Number(row?.bytes);
}

function createStore(reads: Database, writes: Database, monitor?: WriteMonitor): Store {
  const batcher = new Batcher<PetToCreate, Created<Pet>>(
    createWriter(writes),
    { timeoutMs: WRITE_MS },
    monitor,
  );
  const { getPet, listPets, closeReads } = petReads(reads);
  const maintenance = setInterval(() => void maintain(), MAINTENANCE_MS).unref();
  let closed = false;

  function call<Args extends unknown[], R>(
    database: Database,
    access: Access,
    work: (sql: Db, ...args: Args) => Promise<R>,
  ) {
    return async (...args: Args): Promise<R> => {
      if (closed) throw unavailable('The store is closed.');
      return database[access]((sql) => work(sql, ...args));
    };
  }
  const read = <Args extends unknown[], R>(work: (sql: Db, ...args: Args) => Promise<R>) =>
    call(reads, 'read', work);
  const write = <Args extends unknown[], R>(work: (sql: Db, ...args: Args) => Promise<R>) =>
    call(writes, 'write', work);

  /** A failure is ignored, because the next run does the same work. */
  async function maintain(): Promise<void> {
    await writes.write(compactInventory).catch(() => {});
    while ((await writes.write(fillNameKeys).catch(() => 0)) > 0);
    let deleted = DELETE_MAX;
    while (deleted === DELETE_MAX) {
      deleted = await writes.write((sql) => deleteExpired(sql, DELETE_MAX)).catch(() => 0);
    }
  }

  return {
    listPets,
    getPet,
    createPet: (pet, idempotencyKey) => batcher.add({ pet, idempotencyKey }),
    countPets: read(countPets),

    listOrders: read(listOrders),
    createOrder: write(createOrder),
    updateOrder: write(updateOrder),

    listKeys: read(listKeys),
    listKeyChanges: read(listKeyChanges),
    createKey: write(createKey),
    createFirstKey: write(createFirstKey),
    revokeKey: write(revokeKey),
    rotateKey: write(rotateKey),
    recordKeyUse: write(recordKeyUse),

    size: read(databaseSize),
    ready: call(writes, 'read', assertWritable),
    async close() {
      closed = true;
      clearInterval(maintenance);
      await Promise.all([batcher.close(), closeReads()]);
      await Promise.all([reads.end(), writes.end()]);
    },
  };
}
