import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Launched, launch } from '../support/service/launch.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { hasTools } from '../support/service/tools.ts';
import { parseAnswer, received } from '../support/wire/socket.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEY = 'the-key-of-npm-start-and-its-test';

interface Started extends Launched {
  readonly origin: string;
  readonly port: number;
  readonly folder: string;
}

async function start(
  t: TestContext,
  command: readonly string[],
  more: Record<string, string> = {},
): Promise<Started> {
  const folder = await temporaryFolder(t);
  const env = {
    PORT: '0',
    DATABASE_URL: `sqlite:${join(folder, 'pets.db')}`,
    API_KEYS: KEY,
    TERM: 'xterm',
    ...more,
  };
  const launched = launch(t, command, { env, cwd: ROOT });
  const [, origin = ''] = await launched.printed(/listens on (http:\/\/[^/]+)\/v1/);
  return { ...launched, origin, folder, port: Number(new URL(origin).port) };
}

/** Sends the signal while a client is connected, and expects a graceful shutdown. */
async function assertShutsDown({ port, folder, printed, ended, output }: Started, signal: () => void) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const answer = received(socket);
  signal();
  await printed(/shutting down/);
  // Long enough for npm to repeat the signal, and short enough for an idle connection to stay open.
  await sleep(400);
  socket.write(`GET /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${KEY}\r\n\r\n`);
  const { status, headers } = parseAnswer(await answer);
  assert.deepEqual([status, headers.connection], [200, 'close'], output());
  await ended();
  assert.deepEqual(
    await readdir(folder),
    ['pets.db'],
    'the database was closed: its write-ahead log is gone',
  );
}

describe('npm start', () => {
  it('shuts down gracefully when npm receives SIGTERM, such as from a supervisor', async (t) => {
    const started = await start(t, ['npm', 'start']);
    await assertShutsDown(started, () => started.child.kill('SIGTERM'));
  });

  it('shuts down gracefully when the whole process group receives SIGTERM, such as in a container', async (t) => {
    const started = await start(t, ['npm', 'start']);
    await assertShutsDown(started, () => process.kill(-(started.child.pid ?? 0), 'SIGTERM'));
  });

  it('shuts down gracefully on one Ctrl-C in a terminal, although npm repeats the signal', async (t) => {
    if (!hasTools(t, 'script')) return;
    const started = await start(t, ['script', '-qec', 'npm start', '/dev/null']);
    await assertShutsDown(started, () => started.child.stdin?.write('\x03'));
  });
});

it('npx animal-store works in the checkout', async (t) => {
  // Offline, so that npx cannot use a package of the same name from the registry.
  const env = { npm_config_offline: 'true' };
  const npx = launch(t, ['npx', 'animal-store', '--help'], { cwd: ROOT, env });
  assert.equal((await npx.ended()).code, 0, npx.output());
  assert.match(npx.output(), /^ {2}keys create {2,}\S/m);
});
