import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bothStores } from '../support/database/both-stores.ts';
import { eventually } from '../support/eventually.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { KeepAliveClient } from '../support/wire/keep-alive.ts';

interface CreatedKey {
  readonly id: string;
  readonly key: string;
}

/** A promise of one second, with room for a machine that is busy with other tests. */
const WITHIN_MS = 5000;
/** Longer than the second in which a revoked key may still be accepted. */
const PAUSE_MS = 1200;
/** For requests to reach the kernel of the process that is paused. */
const ARRIVED_MS = 100;

async function startClient(t: TestContext, DATABASE_URL: string): Promise<KeepAliveClient> {
  const client = new KeepAliveClient((await spawnService(t, { DATABASE_URL })).port);
  t.after(() => client.close());
  return client;
}

for (const [engine, newDatabase] of bothStores) {
  describe(`Keys that are managed beside running processes on ${engine}`, () => {
    it('are accepted, limited, replaced and refused by every process', async (t) => {
      const url = await newDatabase(t);
      const [first, second] = [await startClient(t, url), await startClient(t, url)];
      const clients = [first, second];
      const statuses = (key: string, method = 'GET') =>
        Promise.all(
          clients.map(
            async (client) =>
              (await client.send(method, '/v1/pets', { authorization: `Bearer ${key}` })).status,
          ),
        );
      const post = async (client: KeepAliveClient, path: string, body: object): Promise<CreatedKey> => {
        const reply = await client.send('POST', path, {}, JSON.stringify(body));
        assert.equal(reply.status, 201, reply.body);
        return JSON.parse(reply.body) as CreatedKey;
      };
      const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
      const old = await post(first, '/v1/keys', { name: 'display', scopes: ['pets:read'], expiresAt });
      assert.deepEqual(await statuses(old.key), [200, 200], 'it works at once');
      assert.deepEqual(await statuses(old.key, 'POST'), [403, 403]);

      const created = await post(second, `/v1/keys/${old.id}/rotate`, {});
      assert.deepEqual(await statuses(created.key), [200, 200], 'it works at once');
      assert.deepEqual(await statuses(old.key), [200, 200], 'both work for a while');
      assert.deepEqual(await statuses(created.key, 'POST'), [403, 403]);

      for (const [client, { id, key }] of [
        [first, old],
        [second, created],
      ] as const) {
        assert.equal((await client.send('DELETE', `/v1/keys/${id}`)).status, 204);
        const isRefused = async () => (await statuses(key)).every((status) => status === 401);
        await eventually(isRefused, 'every process refuses it', WITHIN_MS);
      }
    });

    it('and rotated and revoked by several processes at once are replaced once, and each says what has happened', async (t) => {
      const DATABASE_URL = await newDatabase(t);
      const run = (...args: string[]) => animalStore(['keys', ...args], { DATABASE_URL });
      for (const name of ['till', 'lost'])
        assert.equal((await run('create', '--name', name, '--create')).code, 0);
      const rotations = await Promise.all(Array.from({ length: 6 }, () => run('rotate', '1')));
      assert.deepEqual(rotations.map(({ code }) => code).toSorted(), [0, 1, 1, 1, 1, 1]);
      for (const { code, stderr } of rotations)
        if (code === 1)
          assert.match(stderr, /^animal-store: The key was replaced by key 3: rotate that one\.\n$/);

      const [revoked, rotated] = await Promise.all([run('revoke', '2'), run('rotate', '2')]);
      assert.equal(revoked?.code, 0);
      if (rotated?.code === 0) assert.match(revoked?.stdout ?? '', /Key 4, which replaces it, is not/);
      else assert.match(rotated?.stderr ?? '', /^animal-store: The key is revoked: create a new one/);
      const { stdout } = await run('list', '--json');
      const listed = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { id: string; state: string });
      const active = listed.filter(({ state }) => state === 'active').map(({ id }) => id);
      assert.deepEqual(active, rotated?.code === 0 ? ['1', '3', '4'] : ['1', '3']);
    });

    it('and revoked while a process is paused are refused by it when it goes on', async (t) => {
      const DATABASE_URL = await newDatabase(t);
      const { child, port } = await spawnService(t, { DATABASE_URL });
      const created = await animalStore(['keys', 'create', '--name', 'till', '--json'], { DATABASE_URL });
      const { id, key } = JSON.parse(created.stdout) as CreatedKey;
      const clients = Array.from({ length: 5 }, () => new KeepAliveClient(port));
      t.after(() => clients.map((client) => client.close()));
      const createPets = async () => {
        const authorization = `Bearer ${key}`;
        const replies = clients.map((client) => client.createPet('Rex', { authorization }));
        return (await Promise.all(replies)).map(({ status }) => status);
      };
      assert.deepEqual(await createPets(), [201, 201, 201, 201, 201]);
      child.kill('SIGSTOP');
      assert.equal((await animalStore(['keys', 'revoke', id], { DATABASE_URL })).code, 0);
      await sleep(PAUSE_MS);
      const statuses = createPets();
      await sleep(ARRIVED_MS);
      child.kill('SIGCONT');
      assert.deepEqual(await statuses, [401, 401, 401, 401, 401]);
      const [client] = clients;
      assert.match((await client?.get('/v1/store/inventory'))?.body ?? '', /"available":5\b/);
    });
  });
}
