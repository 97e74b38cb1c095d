import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type Launched, launchService } from '../support/launch.ts';
import { animalStore } from '../support/process.ts';
import { call, temporaryFolder } from '../support/service.ts';

const LISTENS = /^Animal Store 1\.0\.0 listens on (http:\/\/([^/:\n]+):(\d+))\/v1$/m;
const KEY = /anst_[0-9A-Za-z]{36}/;
const CURL = /^ *(curl .*)$/m;

async function newDatabase(t: TestContext): Promise<{ DATABASE_URL: string }> {
  return { DATABASE_URL: `sqlite:${join(await temporaryFolder(t), 'pets.db')}` };
}

/** Lets the service leave and returns all that it ever printed. */
async function stop({ child, output, ended }: Launched): Promise<string> {
  child.kill('SIGTERM');
  assert.deepEqual(await ended(), { code: 0, signal: null }, output());
  return output();
}

/** What a person gets who pastes the line into a shell. Without curl, the same request is made in its place. */
async function paste(line: string): Promise<string> {
  const { stdout, stderr, error } = spawnSync('sh', ['-c', `${line} -sS`], { encoding: 'utf8' });
  if (!error && !/not found/.test(stderr)) return stdout + stderr;
  const [, authorization = '', url = ''] = /-H "Authorization: (.*)" (\S+)$/.exec(line) ?? [];
  return (await fetch(url, { headers: { authorization } })).text();
}

describe('animal-store serve', { concurrency: 4 }, () => {
  for (const [name, flags] of Object.entries({ alone: [], 'two workers': ['--workers', '2'] })) {
    it(`on a new store prints a key once, with a curl line that works when pasted: ${name}`, async (t) => {
      const env = await newDatabase(t);
      const first = launchService(t, flags, { env });
      const [, line = ''] = await first.printed(CURL);
      assert.equal(first.output().match(new RegExp(LISTENS, 'gm'))?.length, 1);
      assert.ok(first.output().includes(`Animals are kept in ${env.DATABASE_URL}\n`));
      assert.match(first.output(), /^The store is new\. Its first API key, shown this once only:$/m);
      const [key = ''] = KEY.exec(first.output()) ?? [];
      assert.match(first.output(), new RegExp(`^ *${key}$`, 'm'), 'the key stands alone on a line');
      assert.ok(line.includes(key));
      assert.equal(await paste(line), '[]');
      await stop(first);

      const second = launchService(t, flags, { env });
      const [, origin = ''] = await second.printed(LISTENS);
      assert.equal((await call(origin, 'GET', '/v1/pets', { key })).status, 200);
      assert.doesNotMatch(await stop(second), /anst_|curl|The store is new/);
    });

    it(`says in one line that the port is taken, and does not lose the first key: ${name}`, async (t) => {
      const taken = createServer().listen(0, '127.0.0.1');
      t.after(() => taken.close());
      await once(taken, 'listening');
      const { port } = taken.address() as AddressInfo;
      const env = await newDatabase(t);
      const { code, stdout, stderr } = await animalStore(['serve', '--port', `${port}`, ...flags], env);
      assert.equal(code, 1);
      assert.match(stderr, /^animal-store: the port is taken: [^\n]+\n$/);
      const [key = ''] = KEY.exec(stdout) ?? [];

      const service = launchService(t, [], { env });
      const [, origin = ''] = await service.printed(LISTENS);
      assert.equal((await call(origin, 'GET', '/v1/pets', { key })).status, 200);
    });
  }

  it('prints a curl line that works also when it listens on every address', async (t) => {
    const service = launchService(t, ['--host', '0.0.0.0'], { env: await newDatabase(t) });
    const [, line = ''] = await service.printed(CURL);
    assert.match(line, / http:\/\/localhost:\d+\/v1\/pets$/);
    assert.equal(await paste(line), '[]');
  });

  it('makes no key when keys are configured', async (t) => {
    const env = await newDatabase(t);
    const service = launchService(t, [], { env: { ...env, API_KEYS: ' one-key , another ' } });
    const [, origin = ''] = await service.printed(LISTENS);
    for (const key of ['one-key', 'another']) {
      assert.equal((await call(origin, 'GET', '/v1/pets', { key })).status, 200);
    }
    assert.doesNotMatch(await stop(service), /anst_|curl/);
    assert.equal((await animalStore(['keys', 'list', '--json'], env)).stdout, '[]\n');
  });

  it('says in one line why no worker can start', async (t) => {
    const broken = `if (process.argv[1].endsWith('worker.ts')) process.exit(7)`;
    const env = {
      ...(await newDatabase(t)),
      API_KEYS: 'k',
      NODE_OPTIONS: `--import="data:text/javascript,${broken}"`,
    };
    const { code, stdout, stderr } = await animalStore(['serve', '--port', '0', '--workers', '2'], env);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^animal-store: a worker ended before it could serve \(7\)\n$/);
  });

  it('keeps animals in data/animal-store.db below the current folder unless told otherwise', async (t) => {
    const cwd = await temporaryFolder(t);
    const service = launchService(t, [], { cwd });
    await service.printed(/^Animals are kept in sqlite:data\/animal-store\.db$/m);
    assert.ok((await stat(join(cwd, 'data/animal-store.db'))).isFile());
  });

  it('heeds a flag before the environment', async (t) => {
    const env = { ...(await newDatabase(t)), HOST: 'no.such.host.invalid', PORT: '1' };
    const flags = ['--host', '127.0.0.1', '--port', '0', '--database', 'sqlite::memory:'];
    const service = launchService(t, flags, { env });
    const [, , host, port] = await service.printed(LISTENS);
    assert.equal(host, '127.0.0.1');
    assert.notEqual(port, '1');
    assert.match(service.output(), /^Animals are kept in sqlite::memory:$/m);
    await assert.rejects(stat(env.DATABASE_URL.slice('sqlite:'.length)), 'the other database is not made');
  });

  const addresses: [string, string[], Record<string, string>, string[]][] = [
    ['the default', [], {}, ['http://127.0.0.1:8080/v1']],
    ['an empty variable as none', [], { PORT: '', HOST: '', BASE_URL: '' }, ['http://127.0.0.1:8080/v1']],
    ['the environment', [], { PORT: '1234', HOST: 'pets.test' }, ['http://pets.test:1234/v1']],
    ['a flag', ['--port=99', '--host', '::1'], { PORT: '1234', HOST: 'x' }, ['http://[::1]:99/v1']],
    [
      'the deployments',
      ['--staging-base-url', 'https://s.test/v1'],
      { BASE_URL: 'https://p.test/v1', STAGING_BASE_URL: 'https://other.test/v1', PORT: '1234' },
      ['https://p.test/v1', 'https://s.test/v1'],
    ],
  ];
  for (const [what, flags, env, expected] of addresses) {
    it(`takes ${what} for the address, as animal-store openapi shows`, async () => {
      const { stdout, stderr } = await animalStore(['openapi', ...flags], env);
      const { servers } = JSON.parse(stdout) as { servers: { url: string }[] };
      assert.deepEqual(
        servers.map(({ url }) => url),
        expected,
        stderr,
      );
    });
  }
});
