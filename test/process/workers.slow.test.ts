import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NamedPet } from '../support/database.ts';
import { KeepAliveClient } from '../support/keep-alive.ts';
import { createCluster, createDatabase } from '../support/postgres.ts';
import { animalStore } from '../support/process.ts';
import { call, temporaryFolder } from '../support/service.ts';
import { connectClients, spawnWithWorkers } from '../support/workers.ts';

const server = await createCluster();

const databases: Record<string, (t: TestContext) => Promise<string>> = {
  SQLite: async (t) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`,
  PostgreSQL: () => createDatabase(server),
};

describe('a service with several workers', { concurrency: 2, timeout: 300_000 }, () => {
  before(() => server.start());

  for (const [engine, newDatabase] of Object.entries(databases)) {
    it(`on ${engine} behaves like one process`, async (t) => {
      const DATABASE_URL = await newDatabase(t);
      const { origin, port } = await spawnWithWorkers(t, { DATABASE_URL });
      const made = await animalStore(['keys', 'create', '--name', 'till', '--json'], { DATABASE_URL });
      const { id, key } = JSON.parse(made.stdout) as { id: string; key: string };
      const readPets = async (query: string): Promise<NamedPet[]> => {
        const client = new KeepAliveClient(port);
        const { body } = await client.get(`/v1/pets?${query}`).finally(() => client.close());
        return JSON.parse(body);
      };

      await t.test('an animal created over one connection is visible at once over every other', async () => {
        const [one, other] = (await connectClients(t, port, 2)) as [KeepAliveClient, KeepAliveClient];
        for (let n = 0; n < 100; n++) {
          const { status, body } = await (n % 2 ? one : other).createPet(`pet ${n}`);
          assert.equal(status, 201, body);
          const { id, name } = JSON.parse(body) as NamedPet;
          // Two for each worker; one of the workers did not create the animal.
          const reads = [`id=${id}`, 'limit=1', 'limit=1', `id=${id}`].map(readPets);
          for (const [pet] of await Promise.all(reads)) assert.deepEqual([pet?.id, pet?.name], [id, name]);
        }
      });

      await t.test('paging continues over another connection and returns every animal once', async () => {
        const names: string[] = [];
        for (let path: string | undefined = '/v1/pets?limit=7'; path; ) {
          const client = new KeepAliveClient(port);
          const { headers, body } = await client.get(path).finally(() => client.close());
          names.push(...(JSON.parse(body) as NamedPet[]).map(({ name }) => name));
          const next: string | undefined = /<([^>]+)>; rel="next"/.exec(String(headers.link))?.[1];
          path = next && new URL(next, `${origin}${path}`).href.slice(origin.length);
        }
        assert.deepEqual(
          names,
          Array.from({ length: 100 }, (_, n) => `pet ${99 - n}`),
        );
      });

      await t.test(
        'a hundred creates with one Idempotency-Key, a connection each, create one animal',
        async () => {
          const clients = Array.from({ length: 100 }, () => new KeepAliveClient(port));
          const replies = await Promise.all(
            clients.map((client) => client.createPet('once', { 'idempotency-key': 'k' })),
          );
          for (const client of clients) client.close();
          assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
          assert.equal(new Set(replies.map(({ body }) => body)).size, 1);
          const { text } = await call(origin, 'GET', '/v1/store/inventory');
          assert.equal(text, '{"available":101,"pending":0,"sold":0}');
        },
      );

      await t.test(
        'a key is accepted by every worker, and refused by every worker a second after it was revoked',
        async () => {
          const clients = await connectClients(t, port, 6);
          const headers = { authorization: `Bearer ${key}` };
          const statuses = () =>
            Promise.all(clients.map(async (client) => (await client.get('/v1/pets', headers)).status));
          assert.deepEqual(await statuses(), Array(6).fill(200));
          assert.equal((await animalStore(['keys', 'revoke', id], { DATABASE_URL })).code, 0);
          await sleep(1000);
          assert.deepEqual(await statuses(), Array(6).fill(401));
        },
      );
    });
  }
});
