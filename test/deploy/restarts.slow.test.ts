import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { clientOf } from '../client/support/client.ts';
import { petsIn } from '../support/database/database.ts';
import { freePort } from '../support/service/free-port.ts';
import { spawnService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';
import { PROXY_NAMES, startProxy } from './support/proxies.ts';

const CLIENTS = 32;
/** On a machine that runs other tests at the same time, a start takes long. */
const isAlone = process.env.TEST_FAULTS !== undefined;
const RESTARTS = isAlone ? 10 : 2;
/** As in deploy/animal-store@.service. */
const RESTART_PAUSE_MS = 1_000;
const ROUTES = [...PROXY_NAMES, 'no proxy'] as const;

describe(`${CLIENTS} clients during ${RESTARTS} restarts`, { timeout: 1_200_000 }, () => {
  for (const route of ROUTES) {
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      it(`notice nothing, through ${route}, by ${signal}`, async (t) => {
        if (route !== 'no proxy' && !hasTools(t, route)) return;
        const file = join(await temporaryFolder(t), 'pets.db');
        const env = { DATABASE_URL: `sqlite:${file}`, PORT: `${await freePort()}` };
        let service = await spawnService(t, env);
        const { port, origin } = service;
        const baseUrl = route === 'no proxy' ? `${origin}/v1` : await startProxy(t, route, port);

        const created: string[] = [];
        const sold = Array.from({ length: CLIENTS }, () => 0);
        const failures: unknown[] = [];
        let running = true;
        const use = async (client: number) => {
          // Alone, with the defaults, as a program that passes nothing but address and key.
          const store = clientOf(baseUrl, { timeoutMs: isAlone ? undefined : 300_000 });
          for (let n = 0; running; n++) {
            const { id, name } = await store.createPet({ name: `${client}-${n}`, categoryId: client });
            created.push(`${id} ${name}`);
            const [pet] = (await store.listPets({ id })).items;
            assert.equal(pet?.name, name);
            for (const status of ['pending', 'available'] as const) await store.updatePet(id, { status });
            const order = await store.createOrder({ petId: id });
            await store.updateOrder(order.id, { status: 'completed' });
            sold[client] = n + 1;
          }
        };
        const clients = Array.from({ length: CLIENTS }, (_, client) =>
          use(client).catch((error) => failures.push(error)),
        );
        // With the default time-out, by every client: where a start takes long, some would meet nothing but restarts until it is over.
        const progress = async () => {
          const before = [...sold];
          const hasSold = (count: number, client: number) => count > (before[client] ?? 0);
          const enough = created.length + CLIENTS;
          const isEnough = () => (isAlone ? sold.every(hasSold) : created.length >= enough);
          while (failures.length === 0 && !isEnough()) await sleep(5);
        };

        for (let restart = 0; restart < RESTARTS; restart++) {
          await progress();
          service.child.kill(signal);
          assert.equal(await service.exited, signal === 'SIGTERM' ? 0 : signal);
          await sleep(RESTART_PAUSE_MS);
          service = await spawnService(t, env);
        }
        await progress();
        running = false;
        await Promise.all(clients);

        assert.deepEqual(failures, []);
        const stored = petsIn(file).map(({ id, name }) => `${id} ${name}`);
        assert.deepEqual(stored.sort(), created.sort(), 'every animal was created once');
        const db = new DatabaseSync(file, { readOnly: true });
        const types = db.prepare('SELECT type, count(*) AS n FROM events GROUP BY type ORDER BY type').all();
        db.close();
        const { length } = created;
        assert.deepEqual(
          types.map(({ type, n }) => [type, n]),
          [
            ['order.completed', length],
            ['order.placed', length],
            ['pet.created', length],
            ['pet.updated', 2 * length],
          ],
          'every change was made once',
        );
        t.diagnostic(
          `${created.length} animals created, shown, changed twice, ordered and sold; 0 calls failed`,
        );
      });
    }
  }
});
