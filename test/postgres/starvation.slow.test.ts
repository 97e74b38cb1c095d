import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { ConnectionGroup } from '../../src/store/postgres/pool/connection-group.ts';
import { Servers } from '../../src/store/postgres/pool/servers.ts';
import { parseUrl } from '../../src/store/postgres/url.ts';
import { untilBlocked } from '../support/database/blocked.ts';
import { createDatabase, startCluster } from '../support/database/postgres.ts';
import { connect } from '../support/database/sql.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { spawnService } from '../support/service/process.ts';
import { assertSoonRefused } from '../support/service/refused-key.ts';
import { call } from '../support/service/service.ts';
import { startProxy } from '../support/wire/proxy.ts';
import { createKey } from './support/instance.ts';

const server = await startCluster();
const proxy = await startProxy(server.port);

it('a revoked key is refused within a second while every read waits', async (t) => {
  const DATABASE_URL = await createDatabase(server);
  const { origin } = await spawnService(t, { DATABASE_URL });
  const { id, key } = await createKey(DATABASE_URL);
  await eventuallyEqual(async () => (await call(origin, 'GET', '/v1/pets', { key })).status, 200);
  const store = await openStore(DATABASE_URL);
  t.after(() => store.close());
  const sql = connect(t, DATABASE_URL, { max: 2 });
  await sql.begin(async (tx) => {
    await tx`LOCK TABLE pets IN ACCESS EXCLUSIVE MODE`;
    let answered = 0;
    const reads = Array.from({ length: 200 }, (_, i) =>
      call(origin, 'GET', `/v1/pets?limit=${1 + (i % 100)}`).then(() => answered++),
    );
    await untilBlocked(sql);
    assert.equal(answered, 0);
    await store.revokeKey(id);
    await assertSoonRefused([origin], key);
    await Promise.all(reads);
  });
});

it('a connection that cannot be opened does not fail the calls on the others', async (t) => {
  const address = parseUrl(await createDatabase(server));
  const held = new Servers({ ...address, hosts: [{ host: '127.0.0.1', port: proxy.port }] });
  const servers = new Servers(address);
  const connect = servers.connect.bind(servers);
  // The first connection is made, and the attempt to open another one fails after seconds.
  t.mock.method(servers, 'connect', held.connect.bind(held)).mock.mockImplementationOnce(connect);
  proxy.holdNew(true);
  t.after(() => proxy.holdNew(false));
  const database = new ConnectionGroup(address, { connections: 2, callsPerConnection: 1 }, servers);
  t.after(() => database.end());
  const work = () => database.write((sql) => sql.query('SELECT pg_sleep(0.4)'));
  let answered = 0;
  const client = async () => {
    for (; proxy.givenUp() === 0; answered++) await work();
  };
  await Promise.all([client(), client(), client()]);
  assert.ok(answered > 3, `${answered} calls were answered until an attempt to connect had failed`);
});
