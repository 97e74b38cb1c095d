import type { Pet } from '../../contract/pet.ts';
import { Batcher, type WriteMonitor } from '../batcher.ts';
import { printable } from '../printable.ts';
import type { Created, Store } from '../store.ts';
import { assertWritable, type Database, type Db } from './connection.ts';
import { type Access, cannotUse, unavailable } from './errors.ts';
import { fillNameKeys } from './fill-name-keys.ts';
import { deleteExpired } from './idempotency.ts';
import { listKeyChanges } from './key-changes.ts';
import { createFirstKey, createKey, listKeys, recordKeyUse, revokeKey, rotateKey } from './keys.ts';
import { migrate } from './migrate.ts';
import { createOrder, listOrders, updateOrder } from './orders.ts';
import { compactInventory, countPets, type PetToCreate, petReads } from './pets.ts';
import { endAll, type Groups, openGroups } from './pool/groups.ts';
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
  const groups = openGroups(address);
  try {
    await migrate(groups.background, address, printable(url));
    await groups.probes.read(assertWritable);
    return createStore(groups, monitor);
  } catch (error) {
    await endAll(groups);
    throw cannotUse(url, error);
  }
}

async function databaseSize(sql: Db): Promise<number> {
  const [row] = await sql`SELECT pg_database_size(current_database())::text AS bytes`;
  return Number(row?.bytes);
}

function createStore(groups: Groups, monitor?: WriteMonitor): Store {
  const { reads, creates, orders, background, probes } = groups;
  const batcher = new Batcher<PetToCreate, Created<Pet>>(
    createWriter(creates),
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
    keyOf?: (...args: Args) => string,
  ) {
    return async (...args: Args): Promise<R> => {
      if (closed) throw unavailable('The store is closed.');
      const run = (sql: Db) => work(sql, ...args);
      return access === 'read' ? database.read(run) : database.write(run, keyOf?.(...args));
    };
  }

  /** A failure is ignored, because the next run does the same work. */
  async function maintain(): Promise<void> {
    await background.write(compactInventory).catch(() => {});
    while ((await background.write(fillNameKeys).catch(() => 0)) > 0);
    let deleted = DELETE_MAX;
    while (deleted === DELETE_MAX) {
      deleted = await background.write((sql) => deleteExpired(sql, DELETE_MAX)).catch(() => 0);
    }
  }

  return {
    listPets,
    getPet,
    createPet: (pet, idempotencyKey) => batcher.add({ pet, idempotencyKey }),
    countPets: call(reads, 'read', countPets),

    listOrders: call(reads, 'read', listOrders),
    createOrder: call(orders, 'write', createOrder, ({ petId }) => `pet ${petId}`),
    updateOrder: call(orders, 'write', updateOrder, (id) => `order ${id}`),

    listKeys: call(background, 'read', listKeys),
    listKeyChanges: call(probes, 'read', listKeyChanges),
    createKey: call(background, 'write', createKey),
    createFirstKey: call(background, 'write', createFirstKey),
    revokeKey: call(background, 'write', revokeKey),
    rotateKey: call(background, 'write', rotateKey),
    recordKeyUse: call(background, 'write', recordKeyUse),

    size: call(background, 'read', databaseSize),
    ready: call(probes, 'read', assertWritable),
    async close() {
      closed = true;
      clearInterval(maintenance);
      await Promise.all([batcher.close(), closeReads()]);
      await endAll(groups);
    },
  };
}
