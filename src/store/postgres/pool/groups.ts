import type { Address } from '../url.ts';
import { Database } from './database.ts';

/**
 * The connections of a store. Each kind of calls has its own, at most twelve in all, opened when they are needed, so that no
 * kind waits for another: not for a locked row, nor for a commit that waits for a lost standby, nor for many slow reads.
 */
export interface Groups {
  readonly reads: Database;
  /** Two, so that a batch that was rolled back is retried while one of its rows waits for a lock. */
  readonly creates: Database;
  /** One call per connection, so that no order waits after one that waits for a lock. */
  readonly orders: Database;
  /** Administration of keys, and maintenance. */
  readonly background: Database;
  /** Short reads that must never wait: which keys have changed, and whether the database can be used. */
  readonly probes: Database;
}

export function openGroups(address: Address): Groups {
  return {
    reads: new Database(address, { connections: 4 }),
    creates: new Database(address, {
      connections: 2,
      callsPerConnection: 1,
      // Three times this, for a batch, a group of it and one animal, is less than the time-out of a write.
      statementMs: 1400,
      lockMs: 500,
    }),
    orders: new Database(address, { connections: 4, callsPerConnection: 1, lockMs: 1200 }),
    background: new Database(address, { connections: 1 }),
    probes: new Database(address, { connections: 1 }),
  };
}

export async function endAll(groups: Groups): Promise<void> {
  await Promise.all(Object.values(groups).map((group) => group.end()));
}
