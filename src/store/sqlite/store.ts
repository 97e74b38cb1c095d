import type { DatabaseSync } from 'node:sqlite';
import { ApiError } from '../../contract/errors.ts';
import { isProof, weightOf } from '../actions.ts';
import { Batcher, type Outcome } from '../batcher.ts';
import { filesOf } from '../database-files.ts';
import { MEMORY } from '../database-url.ts';
import { isSearch } from '../events.ts';
import { assertMayWrite } from '../file-errors.ts';
import { isSearchIn, petList } from '../lists.ts';
import { startMaintenance } from '../maintenance.ts';
import type { OpenOptions } from '../open-options.ts';
import { type Found, isOrderSearch, searchEventsInSteps, searchInSteps } from '../search.ts';
import { type Page, type PetQuery, type Store, StoreError } from '../store.ts';
import { categoryReads } from './categories.ts';
import { BUSY_MS, bytesOf, COMMAND_BUSY_MS, connect, makeDurable, walBytesOf } from './connection.ts';
import { cannotUse, commandError, fromSqliteError, isDamage } from './errors.ts';
import { eventReads } from './events.ts';
import { type DatabaseFiles, fileProblem, filesAt } from './file-identity.ts';
import { inventoryReads } from './inventory.ts';
import { keyReads } from './keys.ts';
import { orderReads } from './orders.ts';
import { petReads } from './pets.ts';
import { SEARCHED_ROWS } from './reads/lists.ts';
import { ReadTransactions } from './reads/read-transactions.ts';
import { migrate } from './schema/migrate.ts';
import { ThreadedWriter } from './writer/threaded-writer.ts';
import { type Actions, createWriter, type Write } from './writer/writer.ts';

/** Long enough for several processes to create and migrate a new file one after the other. */
const OPEN_MS = 10_000;
/** Longer than a command waits for a lock. */
const COMMAND_LIMITS = { timeoutMs: COMMAND_BUSY_MS + 10_000 };
const FORGET_EVERY_MS = 60_000;
const FORGET_MOST = 200;

export async function openSqlite(path: string, options: OpenOptions = {}): Promise<Store> {
  let db: DatabaseSync | undefined;
  let opened: DatabaseFiles | undefined;
  try {
    // Before it is opened, so that a file that replaces it from here on is noticed.
    opened = filesAt(path);
    // A service that can only read would answer every change with 503, and SQLite would create files beside it that stay read-only.
    if (!options.isCommand && path !== MEMORY) assertMayWrite(filesOf(path));
    db = connect(path, { ...options, busyMs: OPEN_MS });
    opened ??= filesAt(path);
    migrate(db, path, options);
    makeDurable(db, path);
    assertSame(path, opened);
    return path === MEMORY ? openInMemory(db, options) : await openFile(db, path, options);
  } catch (error) {
    db?.close();
    assertSame(path, opened);
    throw cannotUse(path, error);
  }
}

/** Restoring a backup replaces the file, while other processes wait for the lock on the old one. */
function assertSame(path: string, opened: DatabaseFiles | undefined): void {
  if (opened && fileProblem({ database: opened.database }, filesAt(path)))
    throw new StoreError(`the database ${path} was replaced while it was being opened: start again`);
}

type Writer = Pick<ThreadedWriter, 'commit' | 'close'>;

/** A database in memory belongs to one connection, and has no disk to wait for. */
function openInMemory(db: DatabaseSync, options: OpenOptions): Store {
  const commit = createWriter(db);
  const writer = { commit: async (writes: Write[]) => commit(writes), close: async () => {} };
  return createStore(db, writer, options);
}

/** From here on this connection only reads, and never makes the event loop wait long for a lock. */
async function openFile(db: DatabaseSync, path: string, options: OpenOptions): Promise<Store> {
  db.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 100; PRAGMA cache_size = -8192');
  const busyMs = options.isCommand ? COMMAND_BUSY_MS : BUSY_MS;
  const writer = new ThreadedWriter({ path, files: filesAt(path), busyMs }, options.report);
  await writer.open();
  return createStore(db, writer, options);
}

/** Reads on this thread's own connection; writes through the writer. */
function createStore(
  db: DatabaseSync,
  writer: Writer,
  { monitor, report, eventsKeepMs, isCommand }: OpenOptions,
): Store {
  const reads = {
    ...petReads(db),
    ...inventoryReads(db),
    ...categoryReads(db),
    ...orderReads(db),
    ...eventReads(db),
    ...keyReads(db),
  };
  const batch = new ReadTransactions(db, errorOf);
  const batcher = new Batcher<Write, unknown>(
    commit,
    weightOf,
    isProof,
    isCommand ? COMMAND_LIMITS : {},
    monitor,
  );
  let [isDamageReported, closed] = [false, false];

  const stopMaintenance = startMaintenance(forgetExpired, { everyMs: FORGET_EVERY_MS, monitor, report });

  function read<Args extends unknown[], R>(query: (...args: Args) => R) {
    return (...args: Args): Promise<R> =>
      closed ? Promise.reject(storeClosed()) : batch.read(() => query(...args));
  }

  /** Every step is a read of its own. */
  function search<Query extends Pick<PetQuery, 'limit' | 'from'>>(look: (query: Query) => Found) {
    const lookAtSome = read(look);
    return (query: Query): Promise<Page> => searchInSteps(query, SEARCHED_ROWS, lookAtSome);
  }

  const listEvents = read(reads.listEvents);
  const [listPets, listOrders] = [read(reads.listPets), read(reads.listOrders)];
  const [searchPets, searchOrders] = [search(reads.searchPets), search(reads.searchOrders)];

  function write<M extends keyof Actions>(method: M) {
    return (...args: Parameters<Actions[M]>) =>
      batcher.add({ method, args } as Write) as Promise<ReturnType<Actions[M]>>;
  }

  async function commit(writes: Write[]): Promise<Outcome<unknown>[]> {
    const outcomes = await writer.commit(writes).catch((error) => Promise.reject(errorOf(error)));
    return outcomes.map((outcome) => (outcome.ok ? outcome : { ok: false, error: errorOf(outcome.error) }));
  }

  /** The error to respond with. Damage is reported once; what SQLite takes for it may be a disk that fails to read. */
  function errorOf(error: unknown): Error {
    if (isCommand) return commandError(String(db.location()), error);
    if (isDamage(error) && !isDamageReported) {
      isDamageReported = true;
      report?.(
        `the database ${db.location()} cannot be read (${(error as Error).message}): its disk fails, or it is damaged. Run the doctor with the settings of the service; if it is damaged, stop the service and restore a backup`,
      );
    }
    return fromSqliteError(error);
  }

  /** In small batches, so that a create waits for one of them at most. */
  async function forgetExpired(): Promise<void> {
    while ((await write('forgetExpired')(FORGET_MOST)) === FORGET_MOST);
    if (eventsKeepMs === undefined) return;
    while ((await write('forgetEvents')(Date.now() - eventsKeepMs, FORGET_MOST)) === FORGET_MOST);
  }

  return {
    listPets: (query) => (isSearchIn(petList, query) ? searchPets : listPets)(query),
    getPet: read(reads.getPet),
    createPet: write('createPet'),
    createPets: write('createPets'),
    updatePet: write('updatePet'),
    removePet: write('removePet'),
    restorePet: write('restorePet'),
    listRemovedPets: search(reads.listRemovedPets),
    countPets: read(reads.countPets),

    listCategories: read(reads.listCategories),
    getCategory: read(reads.getCategory),
    createCategory: write('createCategory'),
    setCategory: write('setCategory'),
    removeCategory: write('removeCategory'),

    listOrders: (query) => (isOrderSearch(query) ? searchOrders : listOrders)(query),
    getOrder: read(reads.getOrder),
    createOrder: write('createOrder'),
    updateOrder: write('updateOrder'),

    listEvents: (query) =>
      isSearch(query) ? searchEventsInSteps(query, SEARCHED_ROWS, listEvents) : listEvents(query),
    latestEvent: read(reads.latestEvent),

    listKeys: read(reads.listKeys),
    listNewestKeys: read(reads.listNewestKeys),
    listKeyChanges: read(reads.listKeyChanges),
    createKey: write('createKey'),
    createFirstKey: write('createFirstKey'),
    updateKey: write('updateKey'),
    revokeKey: write('revokeKey'),
    rotateKey: write('rotateKey'),
    recordKeyUse: write('recordKeyUse'),

    size: read(() => bytesOf(db) + walBytesOf(db)),
    version: () => (closed ? Promise.reject(storeClosed()) : batch.version()),

    async ready() {
      if (batcher.isProven) return;
      await write('probe')().catch((cause) => {
        if (cause instanceof ApiError) throw cause;
        throw new ApiError('unavailable', 'The database accepts no new animals.', { cause });
      });
    },
    async close() {
      if (closed) return;
      closed = true;
      stopMaintenance();
      // The empty read ends after those that were requested before it.
      await Promise.all([batcher.close(), batch.read(() => {})]);
      await writer.close();
      db.close();
    },
  };
}

const storeClosed = () => new ApiError('unavailable', 'The store is closed.');
