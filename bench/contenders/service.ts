import { join } from 'node:path';
import { KEY } from '../work/calls.ts';
import { type Running, start } from './processes.ts';

export interface ServiceOptions {
  readonly env?: Record<string, string>;
  /** A program that runs it, with its arguments. */
  readonly under?: readonly string[];
}

let started = 0;

/** This service, as `npm start` runs it, with its log in a file of the folder. */
export function startService(
  folder: string,
  database: string,
  { env = {}, under = [] }: ServiceOptions = {},
): Promise<Running> {
  const log = join(folder, `service-${started++}.log`);
  return start((port) => ({
    command: [...under, 'src/main.ts', 'serve'],
    env: { DATABASE_URL: database, API_KEYS: KEY, PORT: String(port), ...env },
    log,
    probe: '/v1/pets',
  }));
}
