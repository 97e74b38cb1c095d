import { it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { programVersion } from '../../src/store/postgres/schema/migrate.ts';
import { olderRows } from '../support/older-content.ts';
import { insertInto, olderDatabase } from '../support/older-database.ts';
import { createCluster } from '../support/postgres.ts';
import { assertUpgraded } from '../support/upgraded.ts';

const server = await createCluster();
await server.start();

for (let version = 1; version < programVersion(); version++)
  it(`A PostgreSQL database of version ${version} opens with all that this version finds and counts`, async (t) => {
    const url = await olderDatabase(server, version, insertInto(olderRows(version)));
    const store = await openStore(url, { upgrade: true });
    t.after(() => store.close());
    await assertUpgraded(store, url, version);
  });
