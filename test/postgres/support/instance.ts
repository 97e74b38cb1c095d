import type { TestContext } from 'node:test';
import { ConnectionGroup } from '../../../src/store/postgres/pool/connection-group.ts';
import type { PoolOptions } from '../../../src/store/postgres/pool/pool.ts';
import { parseUrl } from '../../../src/store/postgres/url.ts';
import { createDatabase, type Server } from '../../support/database/postgres.ts';
import { connect } from '../../support/database/sql.ts';
import { animalStore, spawnService } from '../../support/service/process.ts';
import { call } from '../../support/service/service.ts';

/** A service on this database, or on a new one, the status of a create and of /readyz, and a connection beside it. */
export async function startInstance(t: TestContext, server: Server, given?: string) {
  const url = given ?? (await createDatabase(server));
  const { origin } = await spawnService(t, { DATABASE_URL: url });
  const create = async (name = 'Rex') =>
    (await call(origin, 'POST', '/v1/pets', { body: { name, categoryId: 7 } })).status;
  const ready = async () => (await call(origin, 'GET', '/readyz')).status;
  return { url, origin, sql: connect(t, url), create, ready };
}

/** A new key that `animal-store` stores in this database. */
export async function createKey(url: string, ...flags: string[]): Promise<{ id: string; key: string }> {
  const args = ['keys', 'create', '--name', 'till', '--json', ...flags];
  return JSON.parse((await animalStore(args, { DATABASE_URL: url })).stdout);
}

/** Connections of a service to this database until the test ends: unless others are given, one that has one call at a time. */
export function openGroup(
  t: TestContext,
  url: string,
  options: Partial<PoolOptions> = { connections: 1, callsPerConnection: 1 },
): ConnectionGroup {
  const group = new ConnectionGroup(parseUrl(url), options);
  t.after(() => group.end());
  return group;
}
