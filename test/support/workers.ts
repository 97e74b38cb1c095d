import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { eventually } from './eventually.ts';
import { KeepAliveClient } from './keep-alive.ts';
import { type RunningService, spawnService } from './process.ts';

export interface ServiceWithWorkers extends RunningService {
  /** The process ids of the workers that accept connections, according to the log. */
  workers(): number[];
  /** The lines of the log so far, parsed. */
  log(): Record<string, unknown>[];
}

/** `animal-store serve` with several workers; all of them are killed when the test ends. */
export async function spawnWithWorkers(
  t: TestContext,
  env: Record<string, string>,
  count = 2,
): Promise<ServiceWithWorkers> {
  const service = await spawnService(t, { WORKERS: String(count), ...env });
  const log = () => linesOf(service.output.stdout);
  const pids = (message: string) =>
    log().flatMap(({ msg, worker }) => (msg === message ? [Number(worker)] : []));
  t.after(() => pids('worker ready').map(kill));
  const workers = () => {
    const replaced = pids('worker replaced');
    return pids('worker ready').filter((pid) => !replaced.includes(pid));
  };
  await eventually(() => workers().length === count, 'all workers are ready');
  return { ...service, log, workers };
}

/** Clients with one connection each, opened one after the other, so that they are distributed round-robin. */
export async function connectClients(
  t: TestContext,
  port: number,
  count: number,
): Promise<KeepAliveClient[]> {
  const clients: KeepAliveClient[] = [];
  t.after(() => clients.map((client) => client.close()));
  for (let n = 0; n < count; n++) {
    const client = new KeepAliveClient(port);
    clients.push(client);
    assert.equal((await client.get('/healthz')).status, 200);
  }
  return clients;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function kill(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

/** Every complete line. Standard output contains JSON lines only. */
function linesOf(text: string): Record<string, unknown>[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
