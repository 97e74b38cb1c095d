import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { ConnectionGroup } from '../../src/store/postgres/pool/connection-group.ts';
import { parseUrl } from '../../src/store/postgres/url.ts';
import { StoreError, StoreUnavailableError } from '../../src/store/store.ts';
import { importPets } from '../../src/store/tools/import-export.ts';
import { inspectStore } from '../../src/store/tools/inspect.ts';
import { moveStore } from '../../src/store/tools/move.ts';
import { createCluster, createDatabase, createStore, tlsSettings } from '../support/database/postgres.ts';
import { runSql } from '../support/database/sql.ts';
import { eventually } from '../support/eventually.ts';
import { petIn } from '../support/service/created.ts';
import { animalStore } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { startInstance } from './support/instance.ts';

const TLS = join(import.meta.dirname, '../fixtures/tls');
const ENCODED =
  /: a parameter is not known; reserved characters of the password are percent-encoded: \? is %3F, @ is %40/;
const server = await createCluster();
await server.start(await tlsSettings(server));

async function refusal(DATABASE_URL: string): Promise<string> {
  const { code, stdout, stderr } = await animalStore(['keys', 'list'], { DATABASE_URL });
  assert.deepEqual([code, stdout], [/ECONNREFUSED|does not answer/.test(stderr) ? 3 : 2, '']);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
  assert.doesNotMatch(stderr, /secret/);
  return stderr;
}

/** The line that the program prints, without starting it. */
async function startError(url: string): Promise<string> {
  const error = await openStore(url).then(
    (store) => store.close(),
    (error: unknown) => error,
  );
  assert.ok(error instanceof StoreError, String(error));
  // What may pass has an exit code of its own.
  assert.equal(error instanceof StoreUnavailableError, /try again/.test(error.message), error.message);
  assert.doesNotMatch(error.message, /secret|\n/);
  return error.message;
}

describe('a PostgreSQL server that cannot be used', () => {
  for (const [url, message] of [
    ['postgres://u:12?secret@h/db', ENCODED],
    ['postgres://u:12?secret=1@h/db', ENCODED],
    ['postgres://u:one?secret@h/db', /must name hosts as \S+; reserved characters .* \? is %3F/],
    ['postgres://u:secret@h/db?frobnicate=1', /the parameter frobnicate is not known/],
    ['postgres://u:secret@h/db?sslmode=verify_full', /sslmode must be one of disable/],
    ['postgres://u:secret@h/db?target_session_attrs=best', /target_session_attrs must be one of any/],
    ['postgres://u:secret@h/db?sslrootcert=/none.pem', /names \/none\.pem: no such file or directory$/m],
    [`postgres://u:secret@h/db?sslrootcert=${TLS}/server.key`, /: it contains no certificate in PEM$/m],
    [`postgres://u:secret@h/db?sslcert=${TLS}/server.pem`, /: sslcert and sslkey must be given together$/m],
    [
      `postgres://u:secret@h/db?sslcert=${TLS}/ca.pem&sslkey=${TLS}/server.key`,
      /: the key in the file of sslkey does not belong to the certificate in the file of sslcert$/m,
    ],
    ['postgres://u:secret@/db', /its URL must name hosts as/],
    ['postgres://u:secret@h:99999/db', /its URL must name hosts as/],
    ['postgres://u:secret@127.0.0.1:1,127.0.0.1:2/db', /127\.0\.0\.1:2\/db.*ECONNREFUSED/],
    ['postgres://u:p@secret@127.0.0.1:1/db', /postgres:\/\/127\.0\.0\.1:1\/db.*ECONNREFUSED/],
    ['postgres://u:secret@[::1]:1/db?channel_binding=require', /\[::1\]:1\/db/],
    [server.url('postgres'), /\/postgres has no store yet: start the service once, or name its database/],
    [server.url('nothing_here'), /"nothing_here" does not exist: create it, or correct its name$/m],
  ] as const) {
    it(`is reported in one line: ${url}`, async () => assert.match(await refusal(url), message));
  }

  it('is reported in one line: a role without a connection left, and one whose password is wrong', async () => {
    const rules = join(server.folder, 'pg_hba.conf');
    const before = await readFile(rules, 'utf8');
    await writeFile(rules, `host all careless all scram-sha-256\n${before}`);
    await runSql(
      server.url('postgres'),
      `CREATE ROLE crowd LOGIN CONNECTION LIMIT 0;
      CREATE ROLE careless LOGIN PASSWORD 'right';
      SELECT pg_reload_conf()`,
    );
    const as = (role: string) => startError(server.url('postgres').replace('postgres@', `${role}:secret@`));
    assert.match(await as('crowd'), /too many connections for role "crowd": try again in a moment$/);
    await eventually(
      async () =>
        /"careless": correct the user or the password; in a URL, .*% is %25$/.test(await as('careless')),
      'the rule is in force',
    );
  });

  it('is reported in one line: one that is paused', async () => {
    const [pid] = (await readFile(join(server.folder, 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGSTOP');
    const line = await refusal(server.url('postgres')).finally(() => process.kill(Number(pid), 'SIGCONT'));
    assert.match(line, /: the server does not answer: check that PostgreSQL is not paused, and/);
  });

  it('is reported in one line: an encoding that cannot store every name', async () => {
    const create = "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0";
    await runSql(server.url('postgres'), create);
    assert.match(await startError(server.url('latin')), /has the encoding LATIN1.*ENCODING 'UTF8'/);
  });

  for (const [change, message] of [
    ['INSERT INTO migrations (version) VALUES (99)', /newer version.*schema 99/],
    ['DELETE FROM migrations', /the table animal_store\.migrations has lost its rows: restore/],
    [
      'ALTER DATABASE @database SET session_replication_role = replica',
      /does not run the triggers.*set session_replication_role to origin/,
    ],
    [
      'ALTER DATABASE @database SET default_transaction_read_only = on',
      /read-only: name the primary, or try again when it accepts writes$/,
    ],
  ] as const)
    it(`is reported in one line after ${change}`, async () => {
      const url = await createStore(server);
      await runSql(url, change.replace('@database', new URL(url).pathname.slice(1)));
      assert.match(await startError(url), message);
    });

  /** A role that nobody has given anything, on this database; its name must be quoted. */
  async function createRole(url: string): Promise<{ name: string; url: string }> {
    const role = `Clerk of ${new URL(url).pathname.slice(1)}`;
    await runSql(url, `CREATE ROLE "${role}" LOGIN`);
    return { name: `"${role}"`, url: url.replace('postgres@', `${encodeURIComponent(role)}:secret@`) };
  }

  /** A store and a role that may use its tables, but not change its schema; the URL of that role. */
  async function createClerk(...revoked: string[]): Promise<string> {
    const url = await createStore(server);
    const role = await createRole(url);
    await runSql(
      url,
      `GRANT USAGE ON SCHEMA animal_store TO ${role.name};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA animal_store TO ${role.name};
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA animal_store TO ${role.name};
      ${revoked.map((right) => `REVOKE ${right.replace('@database', new URL(url).pathname.slice(1))} FROM ${role.name}, PUBLIC;`).join(' ')}`,
    );
    return role.url;
  }

  it('is not one whose role can use the tables but not change the schema', async (t) => {
    const store = await openStore(await createClerk());
    t.after(() => store.close());
    const { id } = petIn(await store.createPet({ name: 'Rex', categoryId: 1n, status: 'available' }));
    await store.createOrder({ petId: id }, { idempotencyKey: { owner: '1', key: 'k', fingerprint: 'f' } });
    assert.deepEqual(await store.countPets(), { available: 0n, pending: 1n, sold: 0n });
  });

  it('answers 503 while something of the schema is missing, and goes on when it is back', async (t) => {
    const { origin, create, sql } = await startInstance(t, server);
    const statuses = async () => [(await call(origin, 'GET', '/v1/pets')).status, await create()];
    assert.deepEqual(await statuses(), [200, 201]);
    for (const [from, to, expected] of [
      ['name', 'title', [503, 503]],
      ['title', 'name', [200, 201]],
    ] as const) {
      await sql.unsafe(`ALTER TABLE pets RENAME COLUMN ${from} TO ${to}`);
      assert.deepEqual(await statuses(), expected);
    }
    await sql.unsafe('ALTER SCHEMA animal_store RENAME TO elsewhere');
    assert.deepEqual(await statuses(), [503, 503]);
  });

  /** Pastes what the message says, as a superuser, and tries again. */
  async function assertGrantHelps(url: string, says: RegExp, attempt: () => Promise<unknown>): Promise<void> {
    const { message } = await attempt().then(
      () => assert.fail('it has the right'),
      (error: Error) => error,
    );
    assert.match(message, says);
    const [, grant = ''] = /: let a superuser or .* run.*: (GRANT .*;)$/.exec(message) ?? [];
    await runSql(url.replace(/\/\/.*@/, '//postgres@'), grant);
    await attempt();
  }
  const open = async (url: string) => (await openStore(url)).close();

  for (const [right, says] of [
    [
      'INSERT ON pets',
      /^the role "Clerk of (test_\d+)" lacks .* the owner, postgres, run in the database \1: GRANT INSERT ON TABLE \S+\.pets TO "Clerk of \1";$/,
    ],
    ['UPDATE, DELETE ON idempotency_keys', /: GRANT DELETE, UPDATE ON TABLE \S+\.idempotency_keys TO/],
    ['USAGE ON SEQUENCE pets_id_seq', /: GRANT USAGE ON SEQUENCE animal_store\.pets_id_seq TO/],
    ['USAGE ON SCHEMA animal_store', /: GRANT USAGE ON SCHEMA animal_store TO/],
    ['ALL ON ALL TABLES IN SCHEMA animal_store', / GRANT SELECT ON TABLE \S+, animal_store\.migrations TO/],
    ['CONNECT ON DATABASE @database', / may not connect .* its owner run: GRANT CONNECT ON DATABASE "test/],
  ] as const)
    it(`says which GRANT helps a role without ${right}`, async () => {
      const url = await createClerk(right);
      await assertGrantHelps(url, says, () => open(url));
    });

  it('says which GRANT helps a role that may create nothing: to create the store, to import and to move it', async (t) => {
    const { url } = await createRole(await createDatabase(server));
    await assertGrantHelps(url, /: GRANT CREATE ON DATABASE test_\d+ TO "Clerk/, () => inspectStore(url));
    await open(url);
    const clerk = await createClerk('TEMPORARY ON DATABASE @database');
    const pets = async function* () {
      yield [{ name: 'Rex', categoryId: 1n, status: 'available' }] as const;
    };
    await assertGrantHelps(clerk, /: GRANT TEMPORARY ON DATABASE/, () => importPets(clerk, pets(), {}));
    const file = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const former = 'UPDATE, DELETE ON former_category_ids';
    const mover = await createClerk(former);
    await assertGrantHelps(mover, /: GRANT UPDATE ON TABLE animal_store\.former_category_ids TO/, () =>
      moveStore(mover, file),
    );
    const target = await createClerk(former);
    await assertGrantHelps(target, / GRANT UPDATE ON SEQUENCE animal_store\.api_keys_id_seq, /, () =>
      moveStore(file, target),
    );
    const { url: empty } = await createRole(await createDatabase(server));
    await assertGrantHelps(empty, /: GRANT CREATE ON DATABASE/, () => moveStore(file, empty));
  });
});

describe('TLS to PostgreSQL', () => {
  it('is not used by default if the server supports it and refuses clients that use it', async () => {
    const rules = join(server.folder, 'pg_hba.conf');
    const before = await readFile(rules);
    const url = await createDatabase(server);
    const reload = () => runSql(server.url('postgres'), 'SELECT pg_reload_conf()');
    try {
      await writeFile(rules, `hostssl all all all reject\nhostnossl all all all trust\n`);
      await reload();
      const withTls = () => startError(`${url}?sslmode=require`);
      await eventually(() => withTls().then(Boolean, () => false), 'the rule is in force');
      await (await openStore(url)).close();
      assert.match(await withTls(), /pg_hba\.conf/);
    } finally {
      await writeFile(rules, before);
      await reload();
    }
  });

  const byName = async () => (await createDatabase(server)).replace('127.0.0.1', 'localhost');

  for (const query of ['sslmode=require', `sslmode=verify-full&sslrootcert=${TLS}/ca.pem`]) {
    it(`connects with ${query.split('&')[0]}`, async () => {
      const url = `${await byName()}?${query}`;
      const store = await openStore(url);
      await store.ready();
      await store.close();
    });
  }

  it('is used if the server supports it, by default', async () => {
    const database = new ConnectionGroup(parseUrl(await byName()));
    const ssl = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
    const rows = await database.read((sql) => sql.query(ssl));
    await database.end();
    assert.deepEqual(rows, [['t']]);
  });

  for (const query of ['sslrootcert=system', 'sslmode=verify-full'])
    it(`refuses a certificate of an unknown authority with ${query}`, async () => {
      assert.match(await refusal(`${await byName()}?${query}`), /certificate/i);
    });

  it('refuses a certificate for another name with verify-full, and accepts it with verify-ca', async () => {
    const url = await createDatabase(server);
    assert.match(
      await refusal(`${url}?sslmode=verify-full&sslrootcert=${TLS}/ca.pem`),
      /altnames|does not match/,
    );
    await (await openStore(`${url}?sslmode=verify-ca&sslrootcert=${TLS}/ca.pem`)).close();
  });
});
