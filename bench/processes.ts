import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KeepAliveClient } from '../test/support/wire/keep-alive.ts';
import { print } from './beside-clients.ts';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';
import { delayedFsync } from './contenders/delayed-fsync.ts';
import { startService } from './contenders/service.ts';
import { KEY } from './workloads/calls.ts';

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
  const createdMs: number[] = [];
  let refused = 0;
  const client = async (port: number) => {
    const connection = new KeepAliveClient(port);
    while (performance.now() < end) {
      const startedAt = performance.now();
      const { status } = await connection.createPet('Rex', { authorization: `Bearer ${KEY}` });
      if (status === 201) createdMs.push(performance.now() - startedAt);
      else refused++;
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(ports[n % ports.length] as number)));
  const p99 = createdMs.sort((a, b) => a - b)[Math.floor(createdMs.length * 0.99)] ?? 0;
  return `${Math.round(createdMs.length / SECONDS)} creates/s, p99 ${Math.round(p99)} ms, ${refused} refused`;
}
