import { join } from 'node:path';
import type { Server } from '../../test/support/database/postgres.ts';
import type { TargetOf } from '../workloads/calls.ts';
import { type RunningServer, startServer } from './processes.ts';

/** What a contender is started with. */
export interface Environment {
  readonly folder: string;
  readonly animals: number;
  readonly postgres: Server | undefined;
}

export interface Contender {
  readonly name: string;
  readonly targetOf: TargetOf;
  /** Whether it can run in this environment and hold this many animals. */
  readonly supports: (environment: Environment) => boolean;
  /** What it is, and which features of this service it lacks. */
  readonly note: string;
  start(environment: Environment): Promise<RunningServer>;
}

export interface Script {
  /** The runtime; Node by default. */
  readonly runtime?: string;
  readonly probe?: string;
  readonly args: (port: number) => readonly string[];
  readonly env?: Record<string, string>;
}

/** Starts a script, by default with the Node that runs the benchmark. */
export function startScript(
  { folder, animals }: Environment,
  name: string,
  { runtime = process.execPath, probe = '/v1/pets', args, env = {} }: Script,
): Promise<RunningServer> {
  return startServer((port) => ({
    command: [runtime, ...args(port)],
    env: { PORT: String(port), ...env },
    log: join(folder, `${name}-${animals}.log`),
    probe,
  }));
}
