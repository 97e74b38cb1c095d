import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { promisify } from 'node:util';
import type { NewPet } from '../../src/contract/pet.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { rejects } from '../support/assert.ts';
import { createCluster, createDatabase, type Server } from '../support/database/postgres.ts';
import { installedPostgres } from '../support/database/postgres-versions.ts';
import { storedEvents } from '../support/events/events.ts';
import { listOrders, listRemovedPets } from '../support/lists.ts';
import { petIn } from '../support/service/created.ts';
import { animalStore } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { notTested } from '../support/service/tools.ts';

/** The PostgreSQL of the other tests comes without `pg_dump`, and `pg_dump` refuses a newer server: this needs Debian's `postgresql`. */
const bin = installedPostgres;
const [server, newServer] = bin === undefined ? [] : [await start('main'), await start('new')];

async function start(name: string): Promise<Server> {
  const cluster = await createCluster(name, after, '', bin);
  await cluster.start();
  return cluster;
}

const pet = (name: string): NewPet => ({ name, categoryId: 1n, status: 'available' });

it('a dump by the command that `backup` prints, restored by the one that `restore` prints on another server: readers go on after events that it has, and are told of those that it has not', async (t) => {
  if (!server || !newServer) return notTested(t, 'this machine has no server with its own pg_dump');
  const dump = join(await temporaryFolder(t), 'animals.dump');
  const url = await createDatabase(server);
  const store = await openStore(url);
  for (const name of ['Rex', 'Mimi']) await store.createPet(pet(name));
  await store.createOrder({ petId: 1n, note: 'Für Frau Lee' });
  await store.updateOrder(1n, { status: 'completed' });
  await store.removePet(2n, 'died');
  const kept = await storedEvents(store, 5);
  const before = await contentOf(store);
  await runPrinted(['backup', dump], url);
  // The new events get the numbers of these.
  for (const name of ['Lost', 'Gone']) await store.createPet(pet(name));
  const lost = await storedEvents(store, 2, { after: kept.at(-1)?.position });
  await store.close();

  const target = await createDatabase(newServer);
  await runPrinted(['restore', dump], target);
  const restored = await openStore(target);
  t.after(() => restored.close());
  const assertTold = async () => {
    for (const { position } of lost)
      await rejects(restored.listEvents({ limit: 1, after: position }), 'cursor_expired');
  };
  assert.deepEqual(await contentOf(restored), before);
  assert.deepEqual((await inspectStore(target)).problems, []);
  assert.deepEqual(await storedEvents(restored, 5), kept);
  await assertTold();
  const created = [];
  for (const name of ['New', 'Newer', 'Newest']) created.push(petIn(await restored.createPet(pet(name))).id);
  const next = await storedEvents(restored, 3, { after: kept.at(-1)?.position });
  assert.deepEqual(
    next.map(({ petId }) => petId),
    created,
  );
  assert.deepEqual(await storedEvents(restored, 8), [...kept, ...next]);
  await assertTold();
});

async function contentOf(store: Store) {
  return {
    counts: await store.countPets(1n),
    removed: await listRemovedPets(store, { limit: 9 }),
    sold: await listOrders(store, { limit: 9, completedFrom: new Date(0), note: 'fur' }),
  };
}

/** Runs the command that `animal-store backup` or `restore` prints for PostgreSQL. */
async function runPrinted(args: readonly string[], url: string): Promise<void> {
  const { stderr } = await animalStore(args, { DATABASE_URL: url });
  const [command] = /pg_(?:dump|restore) .*/.exec(stderr) ?? [];
  assert.ok(command, stderr);
  await promisify(execFile)('sh', ['-c', command], { env: { PATH: `${bin}:${process.env.PATH}` } });
}
