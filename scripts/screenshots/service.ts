import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const MAIN = join(import.meta.dirname, '../../src/main.ts');
/** How far the clock of the service may be from where it was set. */
const CLOSE_MS = 20_000;
const MOVED_WITHIN_MS = 30_000;

/** A service with an empty store of its own, whose clock can be set. */
export interface Service {
  readonly port: number;
  readonly origin: string;
  /** The key of the office, which allows everything. */
  readonly officeKey: string;
  setClock(time: Date): Promise<void>;
  stop(): Promise<void>;
}

export async function startService(time: Date): Promise<Service> {
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
  if (library === undefined) throw new Error('The screenshots need libfaketime: install Debian’s faketime.');
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-screenshots-'));
  const clock = join(folder, 'clock');
  await writeOffset(clock, time);
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: `${port}`,
    DATABASE_URL: `sqlite:${join(folder, 'shop.db')}`,
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: clock,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
  const create = [MAIN, 'keys', 'create', '--name', 'office', '--create', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, create, { env });
  const { key: officeKey } = JSON.parse(stdout) as { key: string };
  const service = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  await once(service.stderr, 'data');
  service.stderr.resume();
  const origin = `http://127.0.0.1:${port}`;
  return {
    port,
    origin,
    officeKey,
    setClock: (to) => setClock(origin, clock, to),
    stop: async () => {
      service.kill();
      await once(service, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

/** Writes how far the clock is from the real time, and returns it in milliseconds. */
async function writeOffset(file: string, time: Date): Promise<number> {
  const offsetMs = time.getTime() - Date.now();
  await writeFile(file, `${offsetMs < 0 ? '' : '+'}${Math.round(offsetMs / 1000)}`);
  return offsetMs;
}

async function setClock(origin: string, file: string, time: Date): Promise<void> {
  const offsetMs = await writeOffset(file, time);
  // The service notices it within a second or so.
  for (const since = performance.now(); performance.now() - since < MOVED_WITHIN_MS; await sleep(50)) {
    const { headers } = await fetch(`${origin}/healthz`);
    if (Math.abs(Date.parse(headers.get('date') ?? '') - Date.now() - offsetMs) < CLOSE_MS) return;
  }
  throw new Error('The clock of the service has not moved.');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
