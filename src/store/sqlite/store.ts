import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { NewPet, Pet } from '../../contract/pet.ts';
import { Batcher, type Outcome } from '../batcher.ts';
import {
  type ApiKey,
  type Created,
  type KeyUse,
  type NewApiKey,
  type Once,
  type PetQuery,
  type Store,
  StoreError,
} from '../store.ts';
import type { Actions } from './actions.ts';
import { connect, MEMORY, makeDurable } from './connection.ts';
import { fromSqliteError } from './errors.ts';
import { migrate } from './migrate.ts';
import { keyOf, petOf } from './rows.ts';
import { ThreadedWriter } from './threaded-writer.ts';
import { createWriter, type Write } from './writer.ts';

const FORGET_EVERY_MS = 60_000;
const FORGET_MOST = 200;

export async function openSqlite(path: string): Promise<Store> {
  try {
    const db = connect(path);
    migrate(db, path);
    makeDurable(db, path);
    return new SqliteStore(db, path === MEMORY ? inline(db) : await threaded(db, path));
  } catch (error) {
    if (error instanceof StoreError) throw error;
    throw new StoreError(`cannot use the database ${path}: ${(error as Error).message}`, { cause: error });
  }
}

interface WriterLink {
  commit(writes: Write[]): Promise<Outcome<unknown>[]>;
  close(): Promise<void>;
}

/** A database in memory belongs to one connection, and has no disk to wait for. */
function inline(db: DatabaseSync): WriterLink {
  const commit = createWriter(db);
  return { commit: async (writes) => commit(writes), close: async () => {} };
}

/** From here on this connection only reads, and never makes the event loop wait long for a lock. */
async function threaded(db: DatabaseSync, path: string): Promise<WriterLink> {
  db.exec('PRAGMA query_only = ON; PRAGMA busy_timeout = 100');
  const writer = new ThreadedWriter(path);
  await writer.commit([]);
  return writer;
}

/** Reads on this thread's own connection; writes through the writer. */
class SqliteStore implements Store {
  readonly #db: DatabaseSync;
  readonly #writer: WriterLink;
  readonly #batcher: Batcher<Write, unknown>;
  readonly #pages: Record<'all' | 'before' | 'status' | 'statusBefore', StatementSync>;
  readonly #pet: StatementSync;
  readonly #keys: StatementSync;
  readonly #forgetting: NodeJS.Timeout;

  constructor(db: DatabaseSync, writer: WriterLink) {
    this.#db = db;
    this.#writer = writer;
    this.#batcher = new Batcher((writes) => writer.commit(writes));
    const pets = (where: string) => {
      const statement = db.prepare(`SELECT id, name, category_id, status FROM pets ${where}`);
      statement.setReadBigInts(true);
      return statement;
    };
    this.#pages = {
      all: pets('ORDER BY id DESC LIMIT :limit'),
      before: pets('WHERE id < :before ORDER BY id DESC LIMIT :limit'),
      status: pets('WHERE status = :status ORDER BY id DESC LIMIT :limit'),
      statusBefore: pets('WHERE status = :status AND id < :before ORDER BY id DESC LIMIT :limit'),
    };
    this.#pet = pets('WHERE id = ?');
    this.#keys = db.prepare('SELECT * FROM api_keys ORDER BY id');
    this.#forgetting = setInterval(() => void this.#forgetExpired().catch(() => {}), FORGET_EVERY_MS).unref();
  }

  async listPets({ limit, status, before }: PetQuery): Promise<Pet[]> {
    const pages = this.#pages;
    return this.#read(() => {
      if (status === undefined) {
        return before === undefined ? pages.all.all({ limit }) : pages.before.all({ limit, before });
      }
      return before === undefined
        ? pages.status.all({ limit, status })
        : pages.statusBefore.all({ limit, status, before });
    }).map(petOf);
  }

  async getPet(id: bigint): Promise<Pet | undefined> {
    const row = this.#read(() => this.#pet.get(id));
    return row && petOf(row);
  }

  createPet(pet: NewPet, once?: Once): Promise<Created<Pet>> {
    return this.#write('createPet', pet, once);
  }

  async listKeys(): Promise<ApiKey[]> {
    return this.#read(() => this.#keys.all()).map(keyOf);
  }

  createKey(key: NewApiKey): Promise<ApiKey> {
    return this.#write('createKey', key);
  }

  createFirstKey(key: NewApiKey): Promise<ApiKey | undefined> {
    return this.#write('createFirstKey', key);
  }

  revokeKey(id: string): Promise<ApiKey | undefined> {
    return this.#write('revokeKey', id);
  }

  recordKeyUse(uses: readonly KeyUse[]): Promise<void> {
    return this.#write('recordKeyUse', uses);
  }

  ready(): Promise<void> {
    return this.#write('probe');
  }

  async close(): Promise<void> {
    clearInterval(this.#forgetting);
    await this.#batcher.close();
    await this.#writer.close();
    this.#db.close();
  }

  #read<T>(query: () => T): T {
    try {
      return query();
    } catch (error) {
      throw fromSqliteError(error);
    }
  }

  #write<M extends keyof Actions>(
    method: M,
    ...args: Parameters<Actions[M]>
  ): Promise<ReturnType<Actions[M]>> {
    return this.#batcher.add({ method, args } as Write) as Promise<ReturnType<Actions[M]>>;
  }

  /** In small bites, so that a create waits for one bite at most. */
  async #forgetExpired(): Promise<void> {
    while ((await this.#write('forgetExpired', FORGET_MOST)) === FORGET_MOST);
  }
}
