import type { DatabaseSync } from 'node:sqlite';
import { ApiError } from '../../contract/errors.ts';
import { Batcher, type Outcome } from '../batcher.ts';
import type { Carry } from '../shared.ts';
import { type Store, StoreError } from '../store.ts';
import type { Actions } from './actions.ts';
import { connect, MEMORY, makeDurable } from './connection.ts';
import { keyReads } from './keys.ts';
import { migrate } from './migrate.ts';
import { orderReads } from './orders.ts';
import { petReads } from './pets.ts';
import { carriedWriter } from './shared-writer.ts';
import { ThreadedWriter } from './threaded-writer.ts';
import { Turn } from './turn.ts';
import { createWriter, type Write } from './writer.ts';

/** Many processes may make a new file together, and each has its turn. */
const OPEN_MS = 10_000;
const FORGET_EVERY_MS = 60_000;
const FORGET_MOST = 200;

export async function openSqlite(path: string, create = true, carry?: Carry): Promise<Store> {
  let db: DatabaseSync | undefined;
  try {
    db = connect(path, create);
    db.exec(`PRAGMA busy_timeout = ${OPEN_MS}`);
    migrate(db, path);
    makeDurable(db, path);
    return createStore(db, path === MEMORY ? inline(db) : await linked(db, path, carry));
  } catch (error) {
    db?.close();
    if (error instanceof StoreError) throw error;
    throw new StoreError(`cannot use the database ${path}: ${(error as Error).message}`, { cause: error });
  }
}

interface WriterLink {
  /** Whether batches may be on the way to it before the last is settled. */
  readonly overlap?: boolean;
  commit(writes: Write[]): Promise<Outcome<unknown>[]>;
  close(): Promise<void>;
}

/** A database in memory belongs to one connection, and has no disk to wait for. */
function inline(db: DatabaseSync): WriterLink {
  const commit = createWriter(db);
  return { commit: async (writes) => commit(writes), close: async () => {} };
}

/** From here on this connection only reads, and never makes the event loop wait long for a lock. */
async function linked(db: DatabaseSync, path: string, carry: Carry | undefined): Promise<WriterLink> {
  db.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 100; PRAGMA cache_size = -8192');
  if (carry) return carriedWriter(path, carry);
  const writer = new ThreadedWriter(path);
  await writer.commit([]);
  return writer;
}

/** Reads on this thread's own connection; writes through the writer. */
function createStore(db: DatabaseSync, writer: WriterLink): Store {
  const reads = { ...petReads(db), ...orderReads(db), ...keyReads(db) };
  const turn = new Turn(db);
  const batcher = new Batcher<Write, unknown>((writes) => writer.commit(writes), {
    overlap: writer.overlap ?? false,
  });
  let closed = false;
  const forgetting = setInterval(() => void forgetExpired().catch(() => {}), FORGET_EVERY_MS).unref();

  function read<Args extends unknown[], R>(query: (...args: Args) => R) {
    return (...args: Args): Promise<R> => (closed ? Promise.reject(gone()) : turn.read(() => query(...args)));
  }

  function write<M extends keyof Actions>(method: M) {
    return (...args: Parameters<Actions[M]>) =>
      batcher.add({ method, args } as Write) as Promise<ReturnType<Actions[M]>>;
  }

  /** In small bites, so that a create waits for one bite at most. */
  async function forgetExpired(): Promise<void> {
    while ((await write('forgetExpired')(FORGET_MOST)) === FORGET_MOST);
  }

  return {
    listPets: read(reads.listPets),
    getPet: read(reads.getPet),
    createPet: write('createPet'),
    countPets: read(reads.countPets),

    listOrders: read(reads.listOrders),
    createOrder: write('createOrder'),
    updateOrder: write('updateOrder'),

    listKeys: read(reads.listKeys),
    createKey: write('createKey'),
    createFirstKey: write('createFirstKey'),
    revokeKey: write('revokeKey'),
    recordKeyUse: write('recordKeyUse'),

    version: () => (closed ? Promise.reject(gone()) : turn.version()),

    ready: write('probe'),
    async close() {
      if (closed) return;
      closed = true;
      clearInterval(forgetting);
      // The empty read ends behind those that were asked for before.
      await Promise.all([batcher.close(), turn.read(() => {})]);
      await writer.close();
      db.close();
    },
  };
}

const gone = () => new ApiError('unavailable', 'The store is closed.');
