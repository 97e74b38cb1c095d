import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { samplePets } from '../src/data/samples.ts';
import { fileHeader, petRows } from '../src/data/write.ts';
import { createCluster, createDatabase } from '../test/support/database/postgres.ts';
import { KeepAliveClient } from '../test/support/wire/keep-alive.ts';
import { besideClients, print, runCommand, startService } from './beside-clients.ts';
import { cleanUp, cleanUpOnSignal, onCleanup } from './cleanup.ts';

/**
 * node bench/import.ts [ROWS]: imports a CSV file into SQLite and PostgreSQL while a service runs on the database. Prints the
 * time, the CPU time and memory of the import, and what clients of the service experience meanwhile.
 */
const ROWS = Number(process.argv[2] ?? 1_000_000);
/** The one animal that there is before the import is read all the time. */
const CLIENTS = { readers: 1, writers: 1, animals: 1 };

cleanUpOnSignal();
try {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-import-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'pets.csv');
  await writeCsv(file);
  await measure(`sqlite:${join(folder, 'pets.db')}`, file);
  const server = await createCluster('import', onCleanup);
  await server.start();
  await measure(await createDatabase(server), file);
} finally {
  await cleanUp();
}

/** Names differ, as those of real animals do: an index of equal names would be filled faster. */
async function writeCsv(file: string): Promise<void> {
  const output = createWriteStream(file);
  output.write(fileHeader('csv'));
  let id = 0n;
  for (const pet of samplePets(ROWS, 1)) {
    id++;
    const row = petRows([{ id, ...pet, name: `${pet.name} ${(id * 7919n) % 1_000_003n}` }], 'csv');
    if (!output.write(row)) await once(output, 'drain');
  }
  output.end();
  await finished(output);
}

async function measure(url: string, file: string): Promise<void> {
  const port = await startService(url);
  const first = new KeepAliveClient(port);
  await first.createPet('Rex');
  first.close();
  const meanwhile = await besideClients(port, CLIENTS, async () =>
    print(`${ROWS} rows into ${url.split(':')[0]}: ${await runCommand(url, 'import', file)}`),
  );
  print(`  meanwhile ${meanwhile}`);
}
