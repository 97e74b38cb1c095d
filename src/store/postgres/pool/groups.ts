import type { Address } from '../url.ts';
import { WRITE_LOCK_MS } from '../writer/locks.ts';
import { ConnectionGroup } from './connection-group.ts';
import type { PoolOptions } from './pool.ts';
import { Servers } from './servers.ts';

/** In all groups of a store. */
export const MAX_CONNECTIONS = 10;

/**
 * The connections of a store, and what ends them when the calls that were accepted have ended. Each kind of calls has its own, opened
 * when they are needed, so that no kind waits for another: not for a locked row, nor for a commit that waits for a lost standby,
 * nor for many slow reads.
 */
export function openGroups(address: Address) {
  const servers = new Servers(address);
  const group = (options: Partial<PoolOptions>) => new ConnectionGroup(address, options, servers);
  const groups = {
    reads: group({ connections: 4 }),
    // Pages that share no statement. One call per connection, so that few large pages arrive at a time.
    searches: group({ connections: 2, callsPerConnection: 1 }),
    // Transactions, one after the other. A large import holds the lock on the events for about a second.
    writes: group({ connections: 1, callsPerConnection: 1, statementMs: 1400, lockMs: WRITE_LOCK_MS }),
    // Administration of keys, also in transactions, and maintenance.
    background: group({ connections: 2, callsPerConnection: 1 }),
    // Short reads that must never wait: which keys have changed, and whether the database can be used.
    probes: group({ connections: 1 }),
  };
  return { groups, end: () => Promise.all(Object.values(groups).map((one) => one.end())) };
}

export type Groups = ReturnType<typeof openGroups>['groups'];
