import { join } from 'node:path';
import type { Server } from '../../test/support/postgres.ts';
import type { Target } from '../work/calls.ts';
import { type Running, start } from './processes.ts';

/** Where a contender finds its animals and may leave its files. */
export interface Place {
  readonly folder: string;
  readonly animals: number;
  readonly postgres: Server | undefined;
}

export interface Contender {
  readonly name: string;
  readonly target: Target;
  /** Whether it can be given so many animals, here. */
  readonly can: (place: Place) => boolean;
  /** What it is, and what it leaves undone that this service does. */
  readonly note: string;
  start(place: Place): Promise<Running>;
}

export interface Script {
  readonly probe?: string;
  readonly args: (port: number) => readonly string[];
  readonly env?: Record<string, string>;
}

/** A server that runs on the same Node as we do. */
export function startNode(
  { folder, animals }: Place,
  name: string,
  { probe = '/v1/pets', args, env = {} }: Script,
): Promise<Running> {
  return start((port) => ({
    command: [process.execPath, ...args(port)],
    env: { PORT: String(port), ...env },
    log: join(folder, `${name}-${animals}.log`),
    probe,
  }));
}
