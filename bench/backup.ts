import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';
import { print, runCommand } from './command.ts';
import { startService } from './contenders/service.ts';
import { type Send, summary, type TimedWrite, withClient } from './measure/timed-writes.ts';

/**
 * node bench/backup.ts [ANIMALS]: backs up a store while clients read and write it through a service. Prints the time and the
 * memory of the backup, and what the clients experience without it and meanwhile.
 */
const ANIMALS = Number(process.argv[2] ?? 1_000_000);
const READERS = 4;
const WRITERS = 2;
const PAUSE_MS = 5;
const ALONE_MS = 5000;

cleanUpOnSignal();
try {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-backup-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const database = join(folder, 'pets.db');
  const url = `sqlite:${database}`;
  await runCommand(url, 'seed', `${ANIMALS}`, '--create');
  const { port } = await startService(folder, url);
  print(`${ANIMALS} animals, ${READERS} clients that call getPet, ${WRITERS} that call createPet`);
  print(`without a backup: ${await besideClients(port, () => sleep(ALONE_MS))}`);
  const meanwhile = await besideClients(port, async () => {
    const usage = await runCommand(url, 'backup', join(folder, 'copy.db'));
    print(`backup: ${usage}, -wal ${(statSync(`${database}-wal`).size / 1e6).toFixed(1)} MB`);
  });
  print(`during a backup: ${meanwhile}`);
} finally {
  await cleanUp();
}

/** Lets clients call the service while `work` runs. Returns what they experienced. */
async function besideClients(port: number, work: () => Promise<unknown>): Promise<string> {
  let isOver = false;
  const repeat = async (calls: TimedWrite[], call: (send: Send) => Promise<TimedWrite>) =>
    withClient(port, async (send) => {
      while (!isOver) calls.push((await Promise.all([call(send), sleep(PAUSE_MS)]))[0]);
    });
  const [gets, creates]: [TimedWrite[], TimedWrite[]] = [[], []];
  const getPet = (send: Send) => send('GET', `/v1/pets/${1 + Math.floor(Math.random() * ANIMALS)}`);
  const createPet = (send: Send) => send('POST', '/v1/pets', { name: 'Rex', categoryId: 7 });
  const clients = [
    ...Array.from({ length: READERS }, () => repeat(gets, getPet)),
    ...Array.from({ length: WRITERS }, () => repeat(creates, createPet)),
  ];
  await work();
  isOver = true;
  await Promise.all(clients);
  return `getPet: ${summary(gets)}; createPet: ${summary(creates)}`;
}
