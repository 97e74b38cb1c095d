import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { childrenOf, isRunning } from '../support/service/attacked-service.ts';
import { launch, launchService, MAIN } from '../support/service/launch.ts';
import { type RunningService, spawnService } from '../support/service/process.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';
import { converse, request } from '../support/wire/conversation.ts';

async function start(t: TestContext): Promise<RunningService> {
  const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  return spawnService(t, { DATABASE_URL });
}

describe('a signal that does not ask the service to end', { timeout: 60_000 }, () => {
  it('neither ends the process nor opens an inspector', async (t) => {
    const service = await start(t);
    for (const signal of ['SIGUSR1', 'SIGHUP', 'SIGUSR2'] as const) service.child.kill(signal);
    const reported = (signal: string) => service.output.stdout.split(`"signal":"${signal}"`).length - 1;
    await eventually(() => reported('SIGUSR2') === 1, 'the signals are reported');
    assert.equal(reported('SIGHUP'), 1);
    assert.equal((await call(service.origin, 'GET', '/v1/pets')).status, 200);
    assert.equal(service.errors(), '', 'Node would print the address of its inspector');
  });
});

describe('a signal that asks the service to end', { timeout: 60_000 }, () => {
  it('counts once when it arrives twice within a second', async (t) => {
    if (!hasTools(t, 'timeout')) return;
    const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
    // timeout(1) passes a signal on to its child, then to its group, which includes the child.
    const env = { ...process.env, DATABASE_URL, PORT: '0' } as Record<string, string>;
    const command = ['timeout', '300', process.execPath, MAIN, 'serve'];
    const service = launch(t, command, { env: { ...env, API_KEYS: 'a-key-of-16-chars-or-more' } });
    const [, port] = await service.printed(/listens on http:\/\/127\.0\.0\.1:(\d+)/);
    const { send, next } = converse(Number(port));
    const head = 'Host: x\r\nAuthorization: Bearer a-key-of-16-chars-or-more\r\nExpect: 100-continue\r\n';
    const body = '{"name":"Rex","categoryId":7}';
    send(request('POST /v1/pets', `${head}Content-Length: ${body.length}\r\n`));
    assert.equal((await next()).status, 100);
    service.child.kill('SIGTERM');
    await service.printed(/shutting down/);
    send(body);
    assert.equal((await next()).status, 201);
    // timeout(1) itself exits with 124 when it has passed a signal on, whatever its child did.
    await service.ended();
    assert.doesNotMatch(service.output(), /shutdown failed/);
  });

  it('may be SIGQUIT', async (t) => {
    const service = await start(t);
    service.child.kill('SIGQUIT');
    assert.equal(await service.exited, 0);
  });

  it('is SIGHUP on a terminal, which sends it when it is closed', async (t) => {
    if (!hasTools(t, 'script')) return;
    const file = join(await temporaryFolder(t), 'pets.db');
    const env = { PATH: process.env.PATH, DATABASE_URL: `sqlite:${file}`, PORT: '0' };
    const serve = `exec ${process.execPath} ${MAIN} serve`;
    const terminal = spawn('script', ['-qec', serve, '/dev/null'], { env });
    t.after(() => terminal.kill('SIGKILL'));
    let printed = '';
    terminal.stdout.on('data', (text) => (printed += text));
    await eventually(() => printed.includes('listens on'), 'it listens');
    const [pid = 0] = childrenOf(terminal.pid ?? 0);
    terminal.kill('SIGKILL');
    await once(terminal, 'close');
    await eventually(() => !isRunning(pid), 'it ends');
    assert.equal(existsSync(`${file}-wal`), false, 'the database was closed');
  });
});

it('nohup keeps the service running when its terminal is closed', { timeout: 60_000 }, async (t) => {
  const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const service = launchService(t, [], { env: { DATABASE_URL } });
  const [, port] = await service.printed(/listens on http:\/\/127\.0\.0\.1:(\d+)/);
  process.kill(-(service.child.pid ?? 0), 'SIGHUP');
  await service.printed(/"signal":"SIGHUP"/);
  assert.equal((await call(`http://127.0.0.1:${port}`, 'GET', '/healthz')).status, 200);
});
