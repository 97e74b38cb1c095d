import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { besideClients, print, runCommand, startService } from './beside-clients.ts';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';

/**
 * node bench/backup.ts [ANIMALS]: backs up a store while clients read and write it through a service. Prints the time and the
 * memory of the backup, and what the clients experience without it and meanwhile.
 */
const ANIMALS = Number(process.argv[2] ?? 1_000_000);
const CLIENTS = { readers: 4, writers: 2, animals: ANIMALS };
const ALONE_MS = 5000;

cleanUpOnSignal();
try {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-backup-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const database = join(folder, 'pets.db');
  const url = `sqlite:${database}`;
  await runCommand(url, 'seed', `${ANIMALS}`, '--create');
  const port = await startService(url);
  print(
    `${ANIMALS} animals, ${CLIENTS.readers} clients that call getPet, ${CLIENTS.writers} that call createPet`,
  );
  print(`without a backup: ${await besideClients(port, CLIENTS, () => sleep(ALONE_MS))}`);
  const meanwhile = await besideClients(port, CLIENTS, async () => {
    const usage = await runCommand(url, 'backup', join(folder, 'copy.db'));
    print(`backup: ${usage}, -wal ${(statSync(`${database}-wal`).size / 1e6).toFixed(1)} MB`);
  });
  print(`during a backup: ${meanwhile}`);
} finally {
  await cleanUp();
}
