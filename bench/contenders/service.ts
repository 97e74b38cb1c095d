import { join } from 'node:path';
import { KEY } from '../workloads/calls.ts';
import { type RunningServer, startServer } from './processes.ts';

export interface ServiceOptions {
  readonly env?: Record<string, string>;
  /** A command that runs the service, such as strace, with its arguments. */
  readonly wrapper?: readonly string[];
  /** The checkout whose service is started; this one unless given. */
  readonly checkout?: string | undefined;
}

let started = 0;

/** Starts this service the way `npm start` does, with its output in a file of the folder. */
export function startService(
  folder: string,
  database: string,
  { env = {}, wrapper = [], checkout }: ServiceOptions = {},
): Promise<RunningServer> {
  const log = join(folder, `service-${started++}.log`);
  return startServer((port) => ({
    folder: checkout,
    command: [...wrapper, 'node', '--max-semi-space-size=16', 'bin/animal-store.js', 'serve'],
    env: { DATABASE_URL: database, API_KEYS: KEY, PORT: String(port), ...env },
    log,
    probe: '/v1/pets',
  }));
}
