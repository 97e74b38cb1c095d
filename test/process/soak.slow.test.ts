import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertConsistent } from '../support/database/consistency.ts';
import { eventually } from '../support/eventually.ts';
import { LONG_RUN, startAttackedService } from '../support/service/attacked-service.ts';
import { assertShutsDown, type RunningService } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { KeepAliveClient } from '../support/wire/keep-alive.ts';

/** SOAK_MINUTES=60 makes it the whole hour. */
const MINUTES = Number(process.env.SOAK_MINUTES ?? 3);
const CLIENTS = 16;
/** The run in so many parts. The first ones are left out: compiled code, caches and the heap still grow. */
const PARTS = 10;
const WARM_UP_PARTS = 4;
/** Anything that is remembered of every request takes more than this. */
const MAX_BYTES_PER_REQUEST = 50;
/** All caches together may grow by this much after the warm-up. */
const MAX_GROWTH_BYTES = 8_000_000;

interface Part {
  readonly requests: number;
  readonly heap: number;
}

/** The requests of a shop: mostly reads, some animals and orders, some errors, and now and then a new connection. */
async function shop(port: number, client: number, isOver: () => boolean, onAnswer: (status: number) => void) {
  let connection = new KeepAliveClient(port);
  for (let n = 0; !isOver(); n++) {
    const requests = [
      () => connection.get('/v1/pets?status=available'),
      () => connection.get(`/v1/pets/${n % 1000}`),
      () => connection.get('/v1/pets?limit=0'),
      () => connection.get('/v1/store/inventory', { 'x-request-id': `soak-${client}-${n}` }),
      () => connection.get(`/unknown/${client}/${n}`),
      () => connection.createPet(`Animal ${n}`, { 'idempotency-key': `soak-${client}-${n % 5000}` }),
      () => connection.get('/v1/pets', { authorization: `Bearer wrong-${client}-${n}` }),
      () => connection.get(`/v1/pets?name=animal%20${n}`),
    ];
    onAnswer((await (requests[n % requests.length] as () => Promise<{ status: number }>)()).status);
    if (n % 500 !== 499) continue;
    connection.close();
    connection = new KeepAliveClient(port);
  }
  connection.close();
}

/** On SIGUSR2, makes the service collect its garbage and write to a file how much is left. */
const measureOnSignal = (file: string): string => `
  import { writeFileSync } from 'node:fs';
  import { setFlagsFromString } from 'node:v8';
  import { runInNewContext } from 'node:vm';
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    writeFileSync('${file}', String(process.memoryUsage().heapUsed));
  });`;

async function heapOf({ child }: RunningService, file: string): Promise<number> {
  rmSync(file, { force: true });
  child.kill('SIGUSR2');
  await eventually(() => existsSync(file) && readFileSync(file, 'utf8') !== '', 'it has measured its heap');
  return Number(readFileSync(file, 'utf8'));
}

if (LONG_RUN)
  describe(`a service under load for ${MINUTES} minutes`, {
    timeout: (MINUTES + 5) * 60_000,
  }, () => {
    it('answers everything and remembers nothing of its requests', async (t) => {
      const heapFile = join(await temporaryFolder(t), 'heap');
      const NODE_OPTIONS = `--import="data:text/javascript,${encodeURIComponent(measureOnSignal(heapFile))}"`;
      const service = await startAttackedService(t, undefined, { NODE_OPTIONS });
      let over = false;
      let requests = 0;
      const statuses = new Map<number, number>();
      const count = (status: number) => {
        requests++;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      };
      const load = Promise.all(
        Array.from({ length: CLIENTS }, (_, client) => shop(service.port, client, () => over, count)),
      );
      const parts: Part[] = [];
      try {
        for (let part = 0; part < PARTS; part++) {
          await Promise.race([sleep((MINUTES * 60_000) / PARTS), load]);
          parts.push({ requests, heap: await heapOf(service, heapFile) });
        }
      } finally {
        over = true;
      }
      await load;
      const [first, last] = [parts[WARM_UP_PARTS], parts.at(-1)] as [Part, Part];
      const [grown, measured] = [last.heap - first.heap, last.requests - first.requests];
      t.diagnostic(
        `${requests} requests in ${MINUTES} minutes (${JSON.stringify(Object.fromEntries([...statuses].sort()))}); ` +
          `heap ${parts.map(({ heap }) => (heap / 1024 / 1024).toFixed(1)).join(' ')} MB`,
      );
      assert.ok(grown < MAX_BYTES_PER_REQUEST * measured, `${grown} bytes in ${measured} requests`);
      assert.ok(grown < MAX_GROWTH_BYTES, `the heap has grown by ${grown} bytes`);
      assert.deepEqual(
        [...statuses.keys()].filter((status) => status >= 500),
        [],
      );
      assertConsistent(service.databaseFile);
      await assertShutsDown(service);
      assert.equal(service.errors(), '');
    });
  });
