import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import type { Owner } from './owner.ts';
import { type RunningService, spawnService } from './process.ts';
import { temporaryFolder } from './service.ts';

const HEALTH_TIMEOUT_MS = 10_000;

/** Whether this is `npm run test:faults`, which takes its time. */
export const LONG_RUN = process.env.TEST_FAULTS !== undefined;

/** `animal-store serve` in a separate process, observed from outside. */
export interface AttackedService extends RunningService {
  readonly databaseFile: string;
  residentBytes(): number;
  /** How long `/healthz` takes on a new connection. Rejects unless the response is 200. */
  healthMs(): Promise<number>;
}

export async function startAttackedService(
  t: Owner,
  database?: string,
  env: Record<string, string> = {},
): Promise<AttackedService> {
  const databaseFile = join(await temporaryFolder(t), 'pets.db');
  const DATABASE_URL = database ?? `sqlite:${databaseFile}`;
  const service = await spawnService(t, { DATABASE_URL, ...env });
  const attacked: AttackedService = {
    ...service,
    databaseFile,
    residentBytes: () => residentBytesOf(service.child.pid ?? 0),
    healthMs: () => healthMs(service.port),
  };
  await attacked.healthMs();
  return attacked;
}

/** Asserts that the process is still running, and that the service responds. */
export async function assertUnharmed(service: AttackedService): Promise<void> {
  for (let n = 0; n < 5; n++) await service.healthMs();
  assert.ok(isRunning(service.child.pid ?? 0), service.output.stderr);
}

function healthMs(port: number, timeout = HEALTH_TIMEOUT_MS): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    const call = get({ host: '127.0.0.1', port, path: '/healthz', agent: false, timeout }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - start);
        else reject(new Error(`/healthz answered ${response.statusCode}`));
      });
    });
    call.on('timeout', () => call.destroy(new Error(`/healthz did not answer in ${timeout} ms`)));
    call.on('error', reject);
  });
}

/** The fields of /proc/PID/stat after the name, which may itself contain spaces: state, parent, … */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}

/** A process that has ended does not count, even if its exit code has not been collected yet. */
export const isRunning = (pid: number): boolean => /^[^ZX]$/.test(statOf(pid)[0] ?? '');
/** By SIGSTOP or SIGTSTP. */
export const isStopped = (pid: number): boolean => statOf(pid)[0] === 'T';

export function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids.filter((pid) => statOf(pid)[1] === String(parent)).sort((a, b) => a - b);
}

function residentBytesOf(pid: number): number {
  try {
    const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kib) * 1024;
  } catch {
    return 0;
  }
}
