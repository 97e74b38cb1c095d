import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { openOn } from '../store/conformance.ts';
import { bothStores, execute } from '../support/database/both-stores.ts';
import { orderIn, petIn } from '../support/service/created.ts';
import { animalStore } from '../support/service/process.ts';
import { temporaryFolder } from '../support/service/service.ts';

const by = { keyId: '1', keyName: 'till' };

const SCHEMA = {
  sqlite: 'SELECT name, sql FROM sqlite_schema ORDER BY name',
  postgres: `SELECT relname, attname, format_type(atttypid, NULL) FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = 'animal_store'::regnamespace AND attnum > 0 AND NOT attisdropped ORDER BY relname, attname`,
};

/** Everything in a store, without opening it. */
const contentOf = (url: string): Promise<unknown> =>
  url.startsWith('sqlite:')
    ? readFile(url.slice('sqlite:'.length))
    : execute(url, {
        sqlite: '',
        postgres: `SELECT version::text, xmin::text FROM migrations
          UNION ALL SELECT relname, xmin::text FROM pg_class WHERE relnamespace = 'animal_store'::regnamespace ORDER BY 1`,
      });

for (const [kind, createUrl] of bothStores)
  describe(`A store that a development version has made, ${kind}`, () => {
    it('is upgraded to what a new one has if it is of the baseline, and its orders name nobody', async (t) => {
      const url = await createUrl(t);
      const { store: before, close, reopen } = await openOn(t, url, { upgrade: true });
      const rex = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
      const { id: petId } = petIn(await before.createPet(rex));
      const { createdBy, ...order } = orderIn(await before.createOrder({ petId }, { by }));
      assert.equal(createdBy, 'till');
      await close();
      const made = await execute(url, SCHEMA);
      const columns =
        'ALTER TABLE orders DROP COLUMN created_by; ALTER TABLE orders DROP COLUMN completed_by';
      await execute(url, {
        sqlite: `${columns}; PRAGMA user_version = 14`,
        postgres: `${columns}; ALTER TABLE events ADD COLUMN old_transaction bigint, ADD COLUMN old_id bigint;
          CREATE UNIQUE INDEX events_by_old_place ON events (old_transaction, old_id) WHERE old_transaction IS NOT NULL;
          DELETE FROM migrations WHERE version > 19`,
      });
      // More than one: the version before does not write any more.
      assert.equal((await inspectStore(url)).versionsBehind, 2);
      const store = await reopen();
      assert.deepEqual(await execute(url, SCHEMA), made);
      assert.deepEqual(await store.getOrder(order.id), order);
      const sold = orderIn(await store.updateOrder(order.id, { status: 'completed' }, { by }));
      assert.deepEqual([sold.createdBy, sold.completedBy], [undefined, 'till']);
    });

    it('is refused with an older schema by every command, which says what to do and leaves it as it was', async (t) => {
      const url = await createUrl(t);
      await (await openStore(url)).close();
      await execute(url, {
        sqlite: 'PRAGMA user_version = 13',
        postgres: 'DELETE FROM migrations; INSERT INTO migrations VALUES (18)',
      });
      const folder = await temporaryFolder(t);
      const other = `sqlite:${join(folder, 'other.db')}`;
      const before = await contentOf(url);
      const commands = [['serve', '--port', '0'], ['keys', 'list'], ['doctor'], ['move', '--to', other]];
      const file = url.slice('sqlite:'.length);
      if (kind === 'sqlite')
        commands.push(
          ['export'],
          ['backup', join(folder, 'copy.db')],
          ['restore', file, '--database', other],
        );
      for (const command of commands) {
        const { code, stdout, stderr } = await animalStore(command, { DATABASE_URL: url });
        assert.notEqual(code, 0, command.join(' '));
        const line =
          /the database \S+ was made by a development version before 1\.0\.0: start commit a725038 on it once, then this version\n/;
        assert.match(command[0] === 'doctor' ? stdout : stderr, line, command.join(' '));
        assert.deepEqual(await contentOf(url), before, command.join(' '));
      }
      await assert.rejects(openStore(other, { create: false }), /there is no database/);
    });
  });
