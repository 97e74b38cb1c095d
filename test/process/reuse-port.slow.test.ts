import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { freePort } from '../support/service/free-port.ts';
import { type RunningService, spawnService } from '../support/service/process.ts';
import { KEY, temporaryFolder } from '../support/service/service.ts';

const CLIENTS = 16;
const PROCESSES = 2;
const REPLACEMENTS = 6;
/** Of the clients together, between two replacements. */
const CREATES = 100;

const databases: Record<string, (t: TestContext) => Promise<string>> = {
  'one SQLite file': async (t) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`,
  async PostgreSQL() {
    const server = await createCluster();
    await server.start();
    return createDatabase(server);
  },
};

/** What the clients have seen. */
interface Seen {
  readonly acknowledged: Set<string>;
  readonly answers: Map<number, number>;
  /** Connections that ended before the answer: the request was repeated. */
  lost: number;
}

/** Creates animals until it is told to stop, and repeats a request whose connection is lost, with the same Idempotency-Key. */
async function create(origin: string, client: number, seen: Seen, isOver: () => boolean): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const name = `${client}-${n}`;
    const headers = {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'idempotency-key': randomUUID(),
    };
    const body = JSON.stringify({ name, categoryId: client });
    for (let isDone = false; !isDone; ) {
      try {
        const { status } = await fetch(`${origin}/v1/pets`, { method: 'POST', headers, body });
        seen.answers.set(status, (seen.answers.get(status) ?? 0) + 1);
        isDone = status === 201;
        if (isDone) seen.acknowledged.add(name);
      } catch {
        seen.lost++;
      }
    }
  }
}

async function names(origin: string): Promise<string[]> {
  const found: string[] = [];
  for (let query = '?limit=100'; query !== ''; ) {
    const response = await fetch(`${origin}/v1/pets${query}`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    found.push(...((await response.json()) as { name: string }[]).map(({ name }) => name));
    query = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1] ?? '';
  }
  return found;
}

describe('several processes on one port', { timeout: 300_000 }, () => {
  for (const [store, open] of Object.entries(databases)) {
    it(`lose and double nothing while one after the other is replaced: ${store}`, async (t) => {
      const env = { DATABASE_URL: await open(t), PORT: `${await freePort()}`, REUSE_PORT: 'true' };
      const running: RunningService[] = [];
      for (let i = 0; i < PROCESSES; i++) running.push(await spawnService(t, env));
      const { origin } = running[0] as RunningService;

      const seen: Seen = { acknowledged: new Set(), answers: new Map(), lost: 0 };
      let isOver = false;
      const clients = Array.from({ length: CLIENTS }, (_, client) =>
        create(origin, client, seen, () => isOver),
      );
      for (let i = 0; i < REPLACEMENTS; i++) {
        const enough = seen.acknowledged.size + CREATES;
        while (seen.acknowledged.size < enough) await sleep(5);
        running.push(await spawnService(t, env));
        const old = running.shift() as RunningService;
        old.child.kill('SIGTERM');
        assert.equal(await old.exited, 0);
      }
      isOver = true;
      await Promise.all(clients);

      assert.deepEqual([...seen.answers.keys()], [201]);
      assert.deepEqual((await names(origin)).sort(), [...seen.acknowledged].sort());
      t.diagnostic(
        `${seen.acknowledged.size} creates acknowledged, ${seen.lost} connections lost in ${REPLACEMENTS} replacements`,
      );
    });
  }

  it('both serve', async (t) => {
    const env = {
      DATABASE_URL: await databases['one SQLite file']?.(t),
      PORT: `${await freePort()}`,
      REUSE_PORT: 'true',
    };
    const services = [
      await spawnService(t, env as Record<string, string>),
      await spawnService(t, env as Record<string, string>),
    ];
    const lines = () => services.map(({ output }) => output.stdout.split('"msg":"request"').length - 1);
    for (let calls = 0; lines().some((count) => count === 0); calls++) {
      assert.ok(calls < 1000, `requests of each process: ${lines()}`);
      await fetch(`${services[0]?.origin}/v1/pets`, {
        headers: { authorization: `Bearer ${KEY}`, connection: 'close' },
      });
    }
  });

  it('are refused without the option', async (t) => {
    const env = { DATABASE_URL: 'sqlite::memory:', PORT: `${await freePort()}` };
    await spawnService(t, env);
    await assert.rejects(spawnService(t, env), /port \d+ is already in use/);
  });
});
