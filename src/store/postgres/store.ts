import { ApiError } from '../../contract/errors.ts';
import type { Actions, Write } from '../actions.ts';
import { printable } from '../database-url.ts';
import { isSearch } from '../events.ts';
import { isSearchIn, removedPetList } from '../lists.ts';
import { startMaintenance } from '../maintenance.ts';
import { UPGRADED, UpgradedMeanwhile } from '../migrations.ts';
import type { OpenOptions } from '../open-options.ts';
import { isOrderSearch } from '../search.ts';
import type { Store } from '../store.ts';
import { getCategory, listCategories } from './categories.ts';
import { type Access, cannotUse, unavailable } from './errors.ts';
import { forgetEvents, latestEvent, listEvents } from './events.ts';
import { deleteExpired } from './idempotency.ts';
import { compactCategories, compactInventory, countPets, databaseSize } from './inventory.ts';
import * as keys from './keys.ts';
import { getOrder, listOrders } from './orders.ts';
import { listRemovedPets } from './pets.ts';
import type { Db } from './pool/connection.ts';
import type { ConnectionGroup } from './pool/connection-group.ts';
import { type Groups, openGroups } from './pool/groups.ts';
import { petReads } from './reads/pet-reads.ts';
import { isUpgraded, migrate } from './schema/migrate.ts';
import { assertWritable } from './schema/rights.ts';
import { parseUrl } from './url.ts';
import { assertCanCreate } from './writer/probe.ts';
import { createWriter } from './writer/writer.ts';

const MAINTENANCE_MS = 10_000;
/** How long a run deletes, so that the next one compacts the counts in time, however much is to be deleted. */
const DELETE_MS = 9000;
const DELETE_MAX = 200;
const COUNTS_MAX = 5000;

export async function openPostgres(url: string, options: OpenOptions = {}): Promise<Store> {
  const address = parseUrl(url);
  const { groups, end } = openGroups(address);
  try {
    await groups.probes.read(assertWritable);
    await migrate(groups.background, address, printable(url), options);
    return createStore(groups, end, options);
  } catch (error) {
    await end();
    throw cannotUse(url, error);
  }
}

function createStore(
  groups: Groups,
  end: () => Promise<unknown>,
  { monitor, report, eventsKeepMs }: OpenOptions,
): Store {
  const { reads, writes, background, probes } = groups;
  const writer = createWriter(writes, monitor);
  const { getPet, listPets, closeReads } = petReads(reads, groups.searches);
  const stopMaintenance = startMaintenance(maintain, { everyMs: MAINTENANCE_MS, monitor, report });
  /** Where the last step ended. The index leads the next one past what was deleted, which stays in it while any snapshot is open. */
  const from = { event: '0', key: '-infinity' };
  let closed = false;
  let isReported = false;

  async function assertMayWrite(sql: Db): Promise<void> {
    if (await isUpgraded(sql)) throw new UpgradedMeanwhile();
  }

  function fail(error: unknown): never {
    if (error instanceof UpgradedMeanwhile && !isReported) {
      isReported = true;
      report?.(`the database ${UPGRADED}`);
    }
    throw error;
  }

  function call<Args extends unknown[], R>(
    database: ConnectionGroup,
    access: Access,
    work: (sql: Db, ...args: Args) => Promise<R>,
  ) {
    return async (...args: Args): Promise<R> => {
      if (closed) throw unavailable('The store is closed.');
      if (access === 'read') return database.read((sql) => work(sql, ...args));
      const write = async (sql: Db) => {
        await assertMayWrite(sql);
        return work(sql, ...args);
      };
      return database.write(write).catch(fail);
    };
  }

  /** A search may take longer, so it has connections of its own. */
  function list<Query, R>(work: (sql: Db, query: Query) => Promise<R>, isSearch: (query: Query) => boolean) {
    const [plain, search] = [call(reads, 'read', work), call(groups.searches, 'read', work)];
    return (query: Query) => (isSearch(query) ? search : plain)(query);
  }

  function write<M extends keyof Actions>(method: M) {
    return (...args: Parameters<Actions[M]>) =>
      writer.add({ method, args } as Write).catch(fail) as Promise<ReturnType<Actions[M]>>;
  }

  async function maintain(): Promise<void> {
    if (await background.read(isUpgraded)) return;
    const until = performance.now() + DELETE_MS;
    await background.write(compactInventory);
    while ((await background.write((sql) => compactCategories(sql, COUNTS_MAX))) === COUNTS_MAX);
    for (let deleted = DELETE_MAX; deleted === DELETE_MAX && performance.now() < until; ) {
      deleted = await background.write((sql) => deleteExpired(sql, from, DELETE_MAX));
      if (eventsKeepMs === undefined) continue;
      const forgotten = await background.write((sql) => forgetEvents(sql, from, eventsKeepMs, DELETE_MAX));
      deleted = Math.max(deleted, forgotten);
    }
  }

  /** Every group must have a connection: without one, its calls would fail although those of the other groups succeed. */
  async function ready(): Promise<void> {
    if (closed) throw unavailable('The store is closed.');
    try {
      await probes.read(assertMayWrite);
      await Promise.all([
        probes.read(assertWritable),
        writer.isProven || writes.write(assertCanCreate),
        ...Object.values(groups).map((group) => group.connect()),
      ]);
    } catch (error) {
      fail(error instanceof ApiError ? error : unavailable('The database cannot take an animal.', error));
    }
  }

  return {
    listPets,
    getPet,
    createPet: write('createPet'),
    createPets: write('createPets'),
    updatePet: write('updatePet'),
    removePet: write('removePet'),
    restorePet: write('restorePet'),
    listRemovedPets: list(listRemovedPets, (query) => isSearchIn(removedPetList, query)),
    countPets: call(reads, 'read', countPets),

    listCategories: call(reads, 'read', listCategories),
    getCategory: call(reads, 'read', getCategory),
    createCategory: write('createCategory'),
    setCategory: write('setCategory'),
    removeCategory: write('removeCategory'),

    listOrders: list(listOrders, isOrderSearch),
    getOrder: call(reads, 'read', getOrder),
    createOrder: write('createOrder'),
    updateOrder: write('updateOrder'),

    listEvents: list(listEvents, isSearch),
    latestEvent: call(reads, 'read', latestEvent),

    listKeys: call(background, 'read', keys.listKeys),
    listNewestKeys: call(background, 'read', keys.listNewestKeys),
    listKeyChanges: call(probes, 'read', keys.listKeyChanges),
    createKey: call(background, 'write', keys.createKey),
    createFirstKey: call(background, 'write', keys.createFirstKey),
    updateKey: call(background, 'write', keys.updateKey),
    revokeKey: call(background, 'write', keys.revokeKey),
    rotateKey: call(background, 'write', keys.rotateKey),
    recordKeyUse: call(background, 'write', keys.recordKeyUse),

    size: call(background, 'read', databaseSize),
    ready,
    async close() {
      closed = true;
      stopMaintenance();
      await Promise.all([writer.close(), closeReads()]);
      await end();
    },
  };
}
