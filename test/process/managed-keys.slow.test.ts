import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.ts';
import type { KeepAliveClient } from '../support/keep-alive.ts';
import { createCluster, createDatabase } from '../support/postgres.ts';
import { spawnService } from '../support/process.ts';
import { temporaryFolder } from '../support/service.ts';
import { connectClients, spawnWithWorkers } from '../support/workers.ts';

interface CreatedKey {
  readonly id: string;
  readonly key: string;
}

/** A promise of one second, with room for a machine that is busy with other tests. */
const WITHIN_MS = 5000;

/** A client of each process of the service. */
const processes: Record<string, (t: TestContext) => Promise<KeepAliveClient[]>> = {
  'two workers on SQLite': async (t) => {
    const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const { port } = await spawnWithWorkers(t, { DATABASE_URL });
    return connectClients(t, port, 2);
  },
  'two instances on PostgreSQL': async (t) => {
    const server = await createCluster();
    await server.start();
    const DATABASE_URL = await createDatabase(server);
    const instances = [await spawnService(t, { DATABASE_URL }), await spawnService(t, { DATABASE_URL })];
    return (await Promise.all(instances.map(({ port }) => connectClients(t, port, 1)))).flat();
  },
};

for (const [what, start] of Object.entries(processes)) {
  describe(`Keys that are managed over HTTP, with ${what},`, () => {
    it('are accepted, limited, replaced and refused by every process', async (t) => {
      const [first, second, ...others] = await start(t);
      assert.ok(first && second && others.length === 0);
      const clients = [first, second];
      const statuses = (key: string, method = 'GET') =>
        Promise.all(
          clients.map(
            async (client) =>
              (await client.send(method, '/v1/pets', { authorization: `Bearer ${key}` })).status,
          ),
        );
      const everywhere = (key: string, status: number) =>
        eventually(
          async () => (await statuses(key)).every((one) => one === status),
          `${status} everywhere`,
          WITHIN_MS,
        );
      const post = async (client: KeepAliveClient, path: string, body: object): Promise<CreatedKey> => {
        const reply = await client.send('POST', path, {}, JSON.stringify(body));
        assert.equal(reply.status, 201, reply.body);
        return JSON.parse(reply.body) as CreatedKey;
      };
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      const old = await post(first, '/v1/keys', { name: 'display', scopes: ['pets:read'], expiresAt });
      await everywhere(old.key, 200);
      assert.deepEqual(await statuses(old.key, 'POST'), [403, 403]);

      const created = await post(second, `/v1/keys/${old.id}/rotate`, {});
      await everywhere(created.key, 200);
      await everywhere(old.key, 200);
      assert.deepEqual(await statuses(created.key, 'POST'), [403, 403]);

      for (const [client, { id, key }] of [
        [first, old],
        [second, created],
      ] as const) {
        assert.equal((await client.send('DELETE', `/v1/keys/${id}`)).status, 204);
        await everywhere(key, 401);
      }
    });
  });
}
