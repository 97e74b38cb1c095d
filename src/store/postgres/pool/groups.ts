import type { Address } from '../url.ts';
import { ConnectionGroup } from './connection-group.ts';
import type { PoolOptions } from './pool.ts';
import { Servers } from './servers.ts';

/**
 * The connections of a store. Each kind of calls has its own, at most fourteen in all, opened when they are needed, so that no
 * kind waits for another: not for a locked row, nor for a commit that waits for a lost standby, nor for many slow reads.
 */
export interface Groups {
  readonly reads: ConnectionGroup;
  /** Pages that share no statement. One call per connection, so that few large pages arrive at a time. */
  readonly searches: ConnectionGroup;
  /** Two, so that a batch that was rolled back is retried while one of its rows waits for a lock. */
  readonly creates: ConnectionGroup;
  /** One call per connection, so that no order waits after one that waits for a lock. */
  readonly orders: ConnectionGroup;
  /** Administration of keys, and maintenance. */
  readonly background: ConnectionGroup;
  /** Short reads that must never wait: which keys have changed, and whether the database can be used. */
  readonly probes: ConnectionGroup;
}

/** The groups, and what ends them when the calls that were accepted have ended. */
export function openGroups(address: Address): { groups: Groups; end: () => Promise<void> } {
  const servers = new Servers(address);
  servers.watch();
  const group = (options: Partial<PoolOptions>) => new ConnectionGroup(address, options, servers);
  const groups: Groups = {
    reads: group({ connections: 4 }),
    searches: group({ connections: 2, callsPerConnection: 1 }),
    creates: group({
      connections: 2,
      callsPerConnection: 1,
      // Three times this, for a batch, a group of it and one animal, is less than the time-out of a write.
      statementMs: 1400,
      lockMs: 500,
    }),
    orders: group({ connections: 4, callsPerConnection: 1, lockMs: 1200 }),
    background: group({ connections: 1 }),
    probes: group({ connections: 1 }),
  };
  const end = async () => {
    servers.stop();
    await Promise.all(Object.values(groups).map((one) => one.end()));
  };
  return { groups, end };
}
