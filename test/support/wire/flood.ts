import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Owner } from '../service/owner.ts';

export interface FloodOptions {
  readonly port: number;
  readonly connections: number;
  /** What each connection sends after it is established; every `{n}` in it becomes a different number. */
  readonly payload: string;
  /** Whether the clients read responses. Either way, they never close a connection. */
  readonly reads: boolean;
}

interface Flood {
  readonly child: ChildProcess;
  /** The ports of the clients, in the order in which they connected. */
  readonly ports: readonly number[];
}

const CLIENTS = join(import.meta.dirname, 'flood-clients.ts');

/** Opens many connections from a separate process, which keeps the test responsive. Resolves when all are open. */
export async function flood(t: Owner, options: FloodOptions): Promise<Flood> {
  const child = fork(CLIENTS, { execArgv: [] });
  t.after(() => child.kill('SIGKILL'));
  child.send(options);
  const [ports] = (await once(child, 'message')) as [number[]];
  return { child, ports };
}
