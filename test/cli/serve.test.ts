import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCommand } from '../support/service/command.ts';
import { hasIpv6 } from '../support/service/is-reachable.ts';
import { launchService } from '../support/service/launch.ts';
import { animalStore, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { KEY, newDatabase, stop } from './support/served.ts';

const LISTENS = /^Animal Store \d+\.\d+\.\d+ listens on (http:\/\/([^/:\n]+):(\d+))\/v1$/m;
const CURL = /^ *(curl .*)$/m;

/** The output of the command in a shell. If curl is not installed, the same request is sent with fetch. */
async function paste(line: string): Promise<string> {
  const { stdout, stderr, error } = spawnSync('sh', ['-c', `${line} -sS`], { encoding: 'utf8' });
  if (!error && !/not found/.test(stderr)) return stdout + stderr;
  const [, authorization = '', url = ''] = /-H "Authorization: (.*)" (\S+)$/.exec(line) ?? [];
  return (await fetch(url, { headers: { authorization } })).text();
}

describe('animal-store serve', { concurrency: 2, timeout: 120_000 }, () => {
  it('creates a key for a new store and prints it once, with a curl line that works when pasted', async (t) => {
    const env = await newDatabase(t);
    const first = launchService(t, [], { env });
    const [, line = ''] = await first.printed(CURL);
    assert.equal(first.output().match(new RegExp(LISTENS, 'gm'))?.length, 1);
    assert.ok(first.output().includes(`Database: ${env.DATABASE_URL}\n`));
    const [, console = ''] = /^Console: (http:.*\/)$/m.exec(first.output()) ?? [];
    assert.match((await fetch(console)).headers.get('content-type') ?? '', /^text\/html/);
    assert.match(first.output(), /^Created your first API key\. It is shown only once:$/m);
    const [key = ''] = KEY.exec(first.output()) ?? [];
    assert.match(first.output(), new RegExp(`^ *${key}$`, 'm'), 'the key is on a separate line');
    assert.ok(line.includes(key));
    assert.equal(await paste(line), '[]');
    await stop(first);

    const second = launchService(t, [], { env });
    const [, origin = ''] = await second.printed(LISTENS);
    assert.equal((await call(origin, 'GET', '/v1/pets', { key })).status, 200);
    assert.doesNotMatch(await stop(second), /anst_|curl|Created/);
  });

  it('says in one line that the port is in use, and still prints the first key', async (t) => {
    const taken = createServer().listen(0, '127.0.0.1');
    t.after(() => taken.close());
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const env = await newDatabase(t);
    const { code, stdout, stderr } = await animalStore(['serve', '--port', `${port}`], env);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^Created your first API key\. It is shown only once: \S+\nanimal-store: port \d+ is already in use on 127\.0\.0\.1: [^\n]+\n$/,
    );
    assert.match(stderr, KEY);
    const { stdout: keys } = await runCommand(['keys', 'list', '--json'], env);
    assert.match(keys, /"name":"first key",.*"state":"active"/);
  });

  it('prints nothing but JSON lines to standard output', async (t) => {
    const { DATABASE_URL } = await newDatabase(t);
    const service = await spawnService(t, { DATABASE_URL: `${DATABASE_URL}\n\u001b[31m` });
    assert.match(service.output.stderr, /^Database: sqlite:\S+\/pets\.db\\u000a\\u001b\[31m$/m);
    assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
    service.child.kill('SIGTERM');
    assert.equal(await service.exited, 0);
    if (!service.child.stdout?.closed) await once(service.child, 'close');
    const lines = service.output.stdout.trimEnd().split('\n');
    const messages = lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
    assert.ok(messages.includes('request') && messages.includes('shutting down'), messages.join());
  });

  it('is reachable at both loopback addresses for the host localhost, and creates no key when keys are configured', async (t) => {
    const [env, keys] = [await newDatabase(t), ['the-first-key-of-the-shop', 'another-key-of-the-shop-2']];
    const service = launchService(t, ['--host', 'localhost'], {
      env: { ...env, HOST: 'no.such.host.invalid', API_KEYS: ` ${keys.join(' , ')} ` },
    });
    const [, , , port] = await service.printed(LISTENS);
    for (const address of hasIpv6 ? ['127.0.0.1', '[::1]'] : ['127.0.0.1'])
      for (const key of keys)
        assert.equal((await call(`http://${address}:${port}`, 'GET', '/v1/pets', { key })).status, 200);
    assert.doesNotMatch(await stop(service), /anst_|curl/);
    assert.equal((await runCommand(['keys', 'list', '--json'], env)).stdout, '');
  });

  it('accepts an IPv6 address in brackets', { skip: !hasIpv6 && 'this machine has no IPv6' }, async (t) => {
    const service = launchService(t, [], { env: { ...(await newDatabase(t)), HOST: '[::1]' } });
    const [, line = ''] = await service.printed(CURL);
    assert.match(line, / http:\/\/\[::1\]:\d+\/v1\/pets$/);
    assert.equal(await paste(line), '[]');
  });

  it('stores animals below the current folder by default, and prints a curl line when it listens on every address', async (t) => {
    const cwd = await temporaryFolder(t);
    const service = launchService(t, ['--host', '0.0.0.0'], { cwd });
    const [, line = ''] = await service.printed(CURL);
    assert.match(line, / http:\/\/localhost:\d+\/v1\/pets$/);
    assert.equal(await paste(line), '[]');
    assert.match(service.output(), /^Database: .*data\/animal-store\.db$/m);
    assert.ok((await stat(join(cwd, 'data/animal-store.db'))).isFile());
  });
});

it('animal-store openapi shows the addresses of the flags, or else of the environment', async () => {
  const cases: [string[], Record<string, string>, string[]][] = [
    [[], { PORT: '', HOST: '', BASE_URL: '' }, ['http://127.0.0.1:8080/v1']],
    [['--port=99', '--host', '::1'], { PORT: '1234', HOST: 'x' }, ['http://[::1]:99/v1']],
    [
      ['--staging-base-url', 'https://s.test/v1'],
      { BASE_URL: 'https://p.test/v1', STAGING_BASE_URL: 'https://other.test/v1', PORT: '1234' },
      ['https://p.test/v1', 'https://s.test/v1'],
    ],
  ];
  for (const [flags, env, expected] of cases) {
    const { stdout, stderr } = await runCommand(['openapi', ...flags], env);
    const { servers } = JSON.parse(stdout) as { servers: { url: string }[] };
    assert.deepEqual(
      servers.map(({ url }) => url),
      expected,
      stderr,
    );
  }
});
