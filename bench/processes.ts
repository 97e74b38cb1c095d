import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';
import { print } from './command.ts';
import { delayedFsync } from './contenders/delayed-fsync.ts';
import { startService } from './contenders/service.ts';
import { summary, type TimedWrite, withClient } from './measure/timed-writes.ts';

/**
 * node bench/processes.ts [MILLISECONDS]: 64 clients create animals in one SQLite file, through one, two and four processes, on a disk
 * that takes so long for a commit (30 unless given; 0 for the disk as it is). Needs strace, and permission to trace.
 */
const COMMIT_MS = Number(process.argv[2] ?? 30);
const CLIENTS = 64;
const SECONDS = 10;

cleanUpOnSignal();
try {
  for (const processes of [1, 2, 4]) {
    const folder = mkdtempSync(join(tmpdir(), 'animal-store-processes-'));
    onCleanup(() => rmSync(folder, { recursive: true, force: true }));
    const url = `sqlite:${join(folder, 'pets.db')}`;
    const wrapper = COMMIT_MS > 0 ? delayedFsync(COMMIT_MS) : [];
    const servers = [];
    for (let n = 0; n < processes; n++) servers.push(await startService(folder, url, { wrapper }));
    print(`processes: ${processes}; ${await createAnimals(servers.map(({ port }) => port))}`);
    await Promise.all(servers.map(({ stop }) => stop()));
  }
} finally {
  await cleanUp();
}

/** Returns what the clients experienced. */
async function createAnimals(ports: readonly number[]): Promise<string> {
  const end = performance.now() + SECONDS * 1000;
  const creates: TimedWrite[] = [];
  const client = (_: unknown, n: number) =>
    withClient(ports[n % ports.length] as number, async (send) => {
      while (performance.now() < end)
        creates.push(await send('POST', '/v1/pets', { name: 'Rex', categoryId: 7 }));
    });
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const created = creates.filter(({ failure }) => failure === undefined).length;
  return `${Math.round(created / SECONDS)} creates/s; ${summary(creates)}`;
}
