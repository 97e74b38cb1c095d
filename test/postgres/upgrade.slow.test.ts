import { it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { programVersion } from '../../src/store/postgres/schema/migrate.ts';
import { olderRows } from '../support/database/older-content.ts';
import { insertInto, olderDatabase } from '../support/database/older-database.ts';
import { createCluster } from '../support/database/postgres.ts';
import { assertUpgraded } from '../support/database/upgraded.ts';

const server = await createCluster();
await server.start();

for (let version = 1; version < programVersion(); version++)
  it(`A PostgreSQL database of version ${version} opens with all that this version finds and counts`, async (t) => {
    const url = await olderDatabase(server, version, insertInto(olderRows(version)));
    const store = await openStore(url, { upgrade: true });
    t.after(() => store.close());
    await assertUpgraded(store, url, version);
  });
