import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { AUTH, converse, HOST, request } from '../support/conversation.ts';
import { eventually } from '../support/eventually.ts';
import { call, temporaryFolder } from '../support/service.ts';
import { spawnWithWorkers } from '../support/workers.ts';

const CONNECTIONS = 200;
const PIPELINED = 12;
const STOPPED_MS = 16_000;
const MAX_GROWTH_MB = 200;

const PET = JSON.stringify({ name: 'x'.repeat(900), categoryId: 7 });
const CREATE = request('POST /v1/pets', `${HOST}${AUTH}Content-Length: ${PET.length}\r\n`, PET);

/** Resident memory of a process. */
const megabytes = (pid: number): number =>
  Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout) / 1024;

it('a primary that does not respond does not fill the memory of its workers', {
  timeout: 300_000,
}, async (t) => {
  const file = join(await temporaryFolder(t), 'pets.db');
  const service = await spawnWithWorkers(t, { DATABASE_URL: `sqlite:${file}` });
  const primary = service.child.pid ?? 0;
  const statuses = new Map<number, number>();
  let over = false;
  /** Always has a number of creates waiting for their responses. */
  const createPipelined = async () => {
    const { socket, send, next } = converse(service.port);
    t.after(() => socket.destroy());
    send(CREATE.repeat(PIPELINED));
    for (let sent = PIPELINED, answered = 0; answered < sent; answered++) {
      const { status } = await next();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (over) continue;
      send(CREATE);
      sent++;
    }
  };
  const creating = Promise.all(Array.from({ length: CONNECTIONS }, createPipelined));
  await eventually(() => (statuses.get(201) ?? 0) > 3000, 'the load has started');
  const before = service.workers().map(megabytes);
  const created = statuses.get(201);

  process.kill(primary, 'SIGSTOP');
  t.after(() => process.kill(primary, 'SIGCONT'));
  let growth = 0;
  for (const end = Date.now() + STOPPED_MS; Date.now() < end; await sleep(500)) {
    const now = service.workers().map(megabytes);
    growth = Math.max(growth, ...now.map((size, index) => size - (before[index] ?? 0)));
  }
  const refused = statuses.get(503);
  process.kill(primary, 'SIGCONT');
  await eventually(() => (statuses.get(201) ?? 0) > (created ?? 0) + 1000, 'creates succeed again');
  over = true;
  await creating;
  t.diagnostic(`grew by ${Math.round(growth)} MB; ${refused} creates refused while the primary was stopped`);
  assert.ok(growth < MAX_GROWTH_MB, `${growth} MB`);
  assert.ok(refused !== undefined && refused > 0, 'creates are refused, not left waiting');
  assert.deepEqual([...statuses.keys()].toSorted(), [201, 503]);
  assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
  assert.equal(service.errors(), '');
});
