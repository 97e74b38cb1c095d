import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/store/open.ts';
import { assertError, header } from '../support/assert.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { linkOf } from '../support/links.ts';
import { sum } from '../support/measure/metrics.ts';
import { trace } from '../support/measure/trace.ts';
import { LONG_RUN, startAttackedService } from '../support/service/attacked-service.ts';
import { MAIN } from '../support/service/launch.ts';
import { animalStore, type RunningService, spawnService } from '../support/service/process.ts';
import { type Answer, call, temporaryFolder } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';
import { HOST, request } from '../support/wire/conversation.ts';

/** A response of /readyz is at most this old. */
const PROBE_MS = 1000;

const create = (origin: string, name: string): Promise<Answer> =>
  call(origin, 'POST', '/v1/pets', { body: { name, categoryId: 7 } });

function assertUnavailable(answer: Answer): void {
  assertError(answer, 503, 'unavailable');
  assert.match(header(answer, 'retry-after') ?? '', /^[1-9]\d*$/);
}

/** A response of /readyz may be as old as the last probe. */
async function assertReadyz(origin: string, status: number): Promise<void> {
  const readyz = () => call(origin, 'GET', '/readyz');
  await eventuallyEqual(async () => (await readyz()).status, status);
  if (status !== 200) assertUnavailable(await readyz());
}

async function assertOnlyReads(origin: string): Promise<void> {
  const refused = create(origin, 'refused');
  assert.equal((await call(origin, 'GET', '/v1/pets?limit=1')).status, 200);
  assert.equal((await call(origin, 'GET', '/v1/pets/1')).status, 200);
  assertUnavailable(await refused);
  await assertReadyz(origin, 503);
  assert.equal((await call(origin, 'GET', '/healthz')).status, 200);
}

async function assertWrites(origin: string, name: string): Promise<void> {
  const answer = await create(origin, name);
  assert.equal(answer.status, 201, answer.text);
  await assertReadyz(origin, 200);
}

async function namesOf(origin: string): Promise<string[]> {
  const names: string[] = [];
  for (let path: string | undefined = '/v1/pets?limit=100'; path; ) {
    const page = await call(origin, 'GET', path);
    names.push(...(page.json as { name: string }[]).map(({ name }) => name));
    path = linkOf(page, 'next', path);
  }
  return names;
}

describe('a database that cannot be written', { concurrency: 2, timeout: 120_000 }, () => {
  it('refuses writes with 503 while another process holds its lock, and accepts them again after; commands wait for it', async (t) => {
    const { origin, databaseFile: file } = await startAttackedService(t);
    const DATABASE_URL = `sqlite:${file}`;
    await assertWrites(origin, 'before');
    await writeFile(`${file}.csv`, 'name,categoryId\nimported,1\n');
    const other = new DatabaseSync(file);
    t.after(() => other.close());
    other.exec("BEGIN IMMEDIATE; UPDATE pets SET name = 'changed'");
    const commands = [
      ['keys', 'create', '--name', 'till'],
      ['import', `${file}.csv`],
    ].map((args) => animalStore(args, { DATABASE_URL }));
    const first = [
      create(origin, 'refused').then(() => 'write'),
      call(origin, 'GET', '/v1/pets').then(() => 'read'),
    ];
    assert.equal(await Promise.race(first), 'read');
    await assertOnlyReads(origin);
    other.exec('COMMIT');
    for (const { code, stderr } of await Promise.all(commands)) assert.equal(code, 0, stderr);
    await assertWrites(origin, 'after');
    assert.deepEqual(await namesOf(origin), ['after', 'imported', 'changed']);
  });

  it('makes a command that waits for its lock give up after 30 s, in one line', async (t) => {
    const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    await (await openStore(DATABASE_URL)).close();
    const other = new DatabaseSync(DATABASE_URL.slice('sqlite:'.length));
    t.after(() => other.close());
    other.exec('BEGIN IMMEDIATE');
    const startedAt = performance.now();
    const { code, stderr } = await animalStore(['keys', 'create', '--name', 'till'], { DATABASE_URL });
    const seconds = (performance.now() - startedAt) / 1000;
    assert.match(
      stderr,
      /^animal-store: the database \S+ is locked by another process: try again in a moment\n$/,
    );
    assert.equal(code, 3);
    assert.ok(seconds >= 29 && seconds < 60, `after ${seconds} s`);
  });

  it('refuses writes with 503 while its disk is full, loses nothing, and accepts them again after', async (t) => {
    if (!isRootWith(t, 'unshare', 'mount')) return;
    const folder = await temporaryFolder(t);
    // The mount is in a namespace of the service: it disappears with its process, even if this one is killed.
    const mounted = `mount -t tmpfs -o size=4m full "${folder}" && exec "$@"`;
    const mount = ['unshare', '-m', 'sh', '-c', mounted, 'sh'];
    const service = await spawnService(t, { DATABASE_URL: `sqlite:${join(folder, 'pets.db')}` }, mount);
    const { origin } = service;
    const ballast = join(`/proc/${service.child.pid}/root`, folder, 'ballast');
    await writeFile(ballast, Buffer.alloc(1024 * 1024));

    const acknowledged: string[] = [];
    // Short names last: there may be room for one where there is none for a long name.
    for (const name of ['🐶'.repeat(990), 'x']) {
      for (let full = false; !full; ) {
        const numbered = `${acknowledged.length} ${name}`;
        const answer = await create(origin, numbered);
        if (answer.status === 201) acknowledged.push(numbered);
        else assertUnavailable(answer);
        full = answer.status !== 201;
      }
      // At once: no probe was made while creates succeeded.
      assertUnavailable(await call(origin, 'GET', '/readyz'));
      await sleep(PROBE_MS);
    }
    t.diagnostic(`the disk is full after ${acknowledged.length} animals`);
    await assertOnlyReads(origin);
    assert.deepEqual(await namesOf(origin), acknowledged.toReversed());

    await rm(ballast);
    await assertWrites(origin, 'after');
    assert.deepEqual(await namesOf(origin), ['after', ...acknowledged.toReversed()]);
  });

  for (const { what, inject } of [
    { what: 'is read-only', inject: 'pwrite64:error=EROFS' },
    { what: 'fails to write', inject: 'pwrite64:error=EIO' },
    { what: 'fails to sync', inject: 'fsync,fdatasync:error=EIO' },
  ]) {
    it(`refuses writes with 503 while its disk ${what}, and accepts them again after`, async (t) => {
      if (!isRootWith(t, 'strace')) return;
      const { origin, child } = await startAttackedService(t);
      await assertWrites(origin, 'before');
      const calls = 'trace=pwrite64,fsync,fdatasync';
      const fault = await trace(t, child.pid, ['-e', calls, '-e', `inject=${inject}`]);
      await assertOnlyReads(origin);
      await fault.detach();
      await assertWrites(origin, 'after');
      const names = await namesOf(origin);
      assert.deepEqual(
        names.filter((name) => name !== 'refused'),
        ['after', 'before'],
      );
    });
  }
});

describe('a database that fails while in use', { timeout: 60_000 }, () => {
  it('because its disk cannot be read fails the requests that need it, and works again after, without a restart', async (t) => {
    if (!isRootWith(t, 'strace')) return;
    const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    const store = await openStore(DATABASE_URL);
    const pet = { name: 'x'.repeat(100), categoryId: 7n, status: 'available' } as const;
    await Promise.all(Array.from({ length: 2000 }, () => store.createPet(pet)));
    await store.close();
    // None of the animals is in the cache of the service.
    const { origin, child } = await spawnService(t, { DATABASE_URL });
    const statuses = () =>
      Promise.all([300, 900, 1500].map(async (id) => (await call(origin, 'GET', `/v1/pets/${id}`)).status));
    const fault = await trace(t, child.pid, ['-e', 'trace=pread64', '-e', 'inject=pread64:error=EIO']);
    // SQLite takes some of these errors for damage.
    for (const status of await statuses()) assert.ok([500, 503].includes(status), `${status}`);
    assert.equal((await call(origin, 'GET', '/healthz')).status, 200);
    await fault.detach();
    assert.deepEqual(await statuses(), [200, 200, 200]);
    await assertWrites(origin, 'after');
  });
});

describe('The first start', { timeout: 120_000 }, () => {
  const limits = {
    'on a disk that is too small': (kib: number) => `mount -t tmpfs -o size=${kib}k small . && cd "$PWD"`,
    'with a limit of the size of files': (kib: number) => `ulimit -f ${kib}`,
  };
  const keysCreate = [process.execPath, MAIN, ...'keys create --name till --create'.split(' ')];
  for (const [what, limited] of Object.entries(limits)) {
    it(`${what} says so in one line`, async (t) => {
      if (!isRootWith(t, 'unshare', 'mount')) return;
      for (const size of LONG_RUN ? [16, 72, 88, 100, 108, 120] : [16, 88, 108]) {
        const args = ['-m', 'sh', '-c', `${limited(size)} && exec "$@"`, 'sh', ...keysCreate];
        const { status, stderr } = spawnSync('unshare', args, {
          cwd: await temporaryFolder(t),
          env: { PATH: process.env.PATH, DATABASE_URL: 'sqlite:pets.db' },
          encoding: 'utf8',
        });
        t.diagnostic(`${size} kB: ${stderr.trim() || 'started'}`);
        if (status !== 0) assert.match(stderr, /^animal-store: [^\n]*\bdisk\b[^\n]*\n$/);
      }
    });
  }
});

it('A store whose disk has become full while nothing used it is not opened, and every command says how much is free and what to do', {
  timeout: 60_000,
}, async (t) => {
  if (!isRootWith(t, 'unshare', 'mount')) return;
  const cwd = await temporaryFolder(t);
  await (await openStore(`sqlite:${cwd}/pets.db`)).close();
  const full = `mount -t tmpfs -o size=200k full /mnt && cp pets.db /mnt && cat /dev/zero 2>/dev/null >/mnt/ballast; "$@"`;
  const lines = {
    doctor: 'sqlite:/mnt/pets.db',
    'serve --port=0': 'sqlite:/mnt/pets.db',
    'keys create --name=till': 'sqlite:/mnt/pets.db',
    'export /mnt/pets.csv': 'sqlite:pets.db',
    'backup /mnt/backup.db': 'sqlite:pets.db',
  };
  for (const [line, DATABASE_URL] of Object.entries(lines)) {
    const args = ['-m', 'sh', '-c', full, 'sh', process.execPath, MAIN, ...line.split(' ')];
    const { status, stdout, stderr } = spawnSync('unshare', args, {
      cwd,
      env: { PATH: process.env.PATH, DATABASE_URL },
      encoding: 'utf8',
    });
    const said = 'the disk of /mnt is full, 0 kB are free: make room on it';
    if (line !== 'doctor') assert.deepEqual([status, stderr], [3, `animal-store: ${said}\n`], line);
    else
      assert.match(
        stdout,
        new RegExp(`^problem  database +${said}\nproblem  disk +only 0.0 MB are free .* in /mnt;`, 'm'),
      );
  }
});

const DESCRIPTORS = 100;

/** A connection that arrives with many others can be refused, too. */
const isAnswered = ({ origin }: RunningService): Promise<boolean> =>
  call(origin, 'GET', '/v1/pets').then(
    ({ status }) => status === 200,
    () => false,
  );

it('more connections than file descriptors keep no other client and no scrape out', {
  timeout: 60_000,
}, async (t) => {
  const limited = ['sh', '-c', `ulimit -n ${DESCRIPTORS}; exec "$@"`, 'sh'];
  const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:' }, limited);
  // Many more connections than there are descriptors: each is accepted or closed.
  const sockets = Array.from({ length: 3 * DESCRIPTORS }, () =>
    connect(service.port, '127.0.0.1', function (this: Socket) {
      // Without a request, it would be closed long before it counts as idle.
      this.write(request('GET /healthz', HOST));
    }).on('error', () => {}),
  );
  t.after(() => sockets.map((socket) => socket.destroy()));
  await Promise.all(sockets.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])));
  await eventually(() => isAnswered(service), 'another client is answered');
  const { status, text } = await call(service.origin, 'GET', '/metrics');
  assert.equal(status, 200);
  assert.ok(sum(text, 'process_open_fds') < DESCRIPTORS, 'the service keeps some for itself');
  assert.equal(service.errors(), '');
  assert.match(service.output.stdout, /"connections":\d+,"msg":"the limit of open files allows few/);
});

it('a connection that cannot be accepted for lack of memory is accepted later', {
  timeout: 60_000,
}, async (t) => {
  if (!isRootWith(t, 'strace')) return;
  const service = await spawnService(t, { DATABASE_URL: 'sqlite::memory:' });
  await trace(t, service.child.pid, ['-e', 'trace=accept4', '-e', 'inject=accept4:error=ENOMEM:when=1']);
  assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
});
