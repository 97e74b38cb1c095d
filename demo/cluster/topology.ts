import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSql, type Sql } from '../../test/support/database/sql.ts';
import { DatabaseNode, PASSWORD } from './database-node.ts';
import { Instance } from './instance.ts';
import { answers, freePorts, start, until } from './processes.ts';
import type { Programs } from './programs.ts';

export interface Topology {
  readonly nodes: readonly DatabaseNode[];
  readonly instances: readonly Instance[];
  /** The service as clients see it, through HAProxy. */
  readonly baseUrl: string;
  readonly synchronous: boolean;
}

/** Starts etcd, two database machines under Patroni, two instances of the service and HAProxy, all on 127.0.0.1. */
export async function startTopology(
  programs: Programs,
  folder: string,
  synchronous: boolean,
): Promise<Topology> {
  const [etcdPort = 0, peerPort = 0, db1 = 0, api1 = 0, db2 = 0, api2 = 0, a = 0, b = 0, shop = 0] =
    await freePorts(9);

  await startEtcd(programs, folder, etcdPort, peerPort);
  const configuration = await readFile(join(import.meta.dirname, '../../deploy/patroni.yml'), 'utf8');
  await writeFile(
    join(folder, 'patroni.yml'),
    synchronous ? configuration : configuration.replace('synchronous_mode: true', 'synchronous_mode: false'),
  );
  const shared = { programs, folder, etcdPort };
  const nodes = [
    new DatabaseNode({ ...shared, name: 'db1', port: db1, apiPort: api1 }),
    new DatabaseNode({ ...shared, name: 'db2', port: db2, apiPort: api2 }),
  ];
  await Promise.all(nodes.map((node) => node.start()));
  await untilReplicated({ nodes, synchronous });
  const primary = await findPrimary(nodes);
  await createDatabase(primary);

  const databaseUrl = `postgres://shop:${PASSWORD}@127.0.0.1:${db1},127.0.0.1:${db2}/shop?target_session_attrs=read-write`;
  const instances = [
    new Instance({ name: 'a', port: a, folder, databaseUrl }),
    new Instance({ name: 'b', port: b, folder, databaseUrl }),
  ];
  await Promise.all(instances.map((instance) => instance.start()));

  const haproxyConfig = join(folder, 'haproxy.cfg');
  await writeFile(haproxyConfig, await haproxyConfigFor(shop, a, b));
  await start({
    file: programs.haproxy,
    args: ['-db', '-f', haproxyConfig],
    log: join(folder, 'haproxy.log'),
  });
  const address = `http://127.0.0.1:${shop}/animals`;
  await until('the start of HAProxy', 10, () => answers(`${address}/readyz`));
  return { nodes, instances, baseUrl: `${address}/v1`, synchronous };
}

/** deploy/haproxy.cfg for two instances on these ports of 127.0.0.1, without TLS. */
export async function haproxyConfigFor(port: number, a: number, b: number): Promise<string> {
  const shipped = await readFile(join(import.meta.dirname, '../../deploy/haproxy.cfg'), 'utf8');
  return shipped
    .replace(/^frontend redirect[\s\S]*$/m, '')
    .replace(/^(\s*)#(?=\S)/gm, '$1')
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace('127.0.0.1:8080', `127.0.0.1:${a}`)
    .replace('127.0.0.1:8081', `127.0.0.1:${b}`);
}

export async function findPrimary(nodes: readonly DatabaseNode[]): Promise<DatabaseNode> {
  for (const node of nodes) if (await node.isPrimary()) return node;
  throw new Error('no database server is the primary');
}

/** Resolves when one server is the primary and the other one its standby. */
export function untilReplicated({
  nodes,
  synchronous,
}: Pick<Topology, 'nodes' | 'synchronous'>): Promise<void> {
  return until('the start of replication', 120, async () => {
    const roles = await Promise.all(
      nodes.map((node) => Promise.all([node.isPrimary(), node.isStandby(synchronous)])),
    );
    return roles.some(([primary]) => primary) && roles.some(([, standby]) => standby);
  });
}

export function connectAsSuperuser({ port }: DatabaseNode, database: string): Sql {
  return openSql(`postgres://postgres:${PASSWORD}@127.0.0.1:${port}/${database}`);
}

async function createDatabase(primary: DatabaseNode): Promise<void> {
  const sql = connectAsSuperuser(primary, 'postgres');
  await sql.unsafe(`CREATE ROLE shop LOGIN PASSWORD '${PASSWORD}'`);
  await sql.unsafe('CREATE DATABASE shop OWNER shop');
  await sql.end();
}

/** One member is enough to choose a primary here. On real machines, run three: etcd needs a majority of them. */
async function startEtcd(
  { etcd, usesEtcd3 }: Programs,
  folder: string,
  clientPort: number,
  peerPort: number,
): Promise<void> {
  const [client, peer] = [`http://127.0.0.1:${clientPort}`, `http://127.0.0.1:${peerPort}`];
  const data = ['--data-dir', join(folder, 'etcd')];
  const clients = ['--listen-client-urls', client, '--advertise-client-urls', client];
  const peers = ['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer];
  const api = usesEtcd3 ? [] : ['--enable-v2'];
  await start({
    file: etcd,
    args: ['--name', 'etcd1', ...data, ...clients, ...peers, ...api, '--initial-cluster', `etcd1=${peer}`],
    // etcd 3.4 does not start on arm64 without this variable.
    env: process.arch === 'arm64' ? { ETCD_UNSUPPORTED_ARCH: 'arm64' } : {},
    log: join(folder, 'etcd.log'),
  });
  await until('the start of etcd', 30, () => answers(`${client}/health`));
}
