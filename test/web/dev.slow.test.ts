import assert from 'node:assert/strict';
import { appendFile, cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStream, openStreams } from '../support/events/event-stream.ts';
import { eventuallyEqual } from '../support/eventually.ts';
import { isReachable } from '../support/service/is-reachable.ts';
import { launch } from '../support/service/launch.ts';
import { call, KEY, temporaryFolder } from '../support/service/service.ts';
import { AUTH } from '../support/wire/conversation.ts';
import { exchange, parseAnswer } from '../support/wire/socket.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEYLESS = { key: null };

test('npm run dev', { timeout: 240_000 }, async (t) => {
  // A copy of this checkout, whose sources may be changed.
  const folder = await temporaryFolder(t);
  for (const name of ['bin', 'src', 'scripts', 'package.json', 'tsconfig.json'])
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const env = { PORT: '0', API_KEYS: KEY };
  const { printed } = launch(t, [process.execPath, 'scripts/dev.ts'], { cwd: folder, env });
  const [, origin = ''] = await printed(/pages are at (http:\/\/127\.0\.0\.1:\d+)/);
  await printed(/listens on/);
  const port = Number(new URL(origin).port);

  await t.test('is reachable on the loopback address only, and only by its name', async () => {
    assert.equal(await isReachable(port), true);
    assert.equal(await isReachable(port, '127.0.0.2'), false);
    const status = async (host: string, path: string) => {
      const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      return parseAnswer(await exchange(port, Buffer.from(request))).status;
    };
    for (const path of ['/', '/v1/pets', '/dev/changes'])
      assert.equal(await status(`attacker.example:${port}`, path), 421, path);
    // Any website can make a browser send this.
    assert.equal(await status(`localhost:${port}`, '//'), 404);
    assert.equal(await status(`localhost:${port}`, '/'), 200);
  });

  await t.test('ends a stream of the service when its client has closed it', async (t) => {
    const head = `Host: localhost:${port}\r\n${AUTH}`;
    const { answer, socket } = await openStream(t, port, { head });
    assert.equal(answer.status, 200);
    assert.equal(await openStreams({ origin }), 1);
    socket.destroy();
    await eventuallyEqual(() => openStreams({ origin }), 0);
  });

  await t.test('serves the API and pages with source maps, and reports a change of a source', async () => {
    assert.equal((await call(origin, 'GET', '/v1/pets')).text, '[]');
    const page = await call(origin, 'GET', '/', KEYLESS);
    assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'/);
    const [, script = ''] = /src="(assets[^"]+)"/.exec(page.text) ?? [];
    const { text } = await call(origin, 'GET', `/${script}`, KEYLESS);
    assert.match(text, /sourceMappingURL=data:/);
    const changes = await fetch(`${origin}/dev/changes`);
    await appendFile(join(folder, 'src/web/browser/console/main.tsx'), '\nconsole.log("changed");\n');
    const { value } = (await changes.body?.getReader().read()) ?? {};
    assert.equal(Buffer.from(value ?? []).toString(), 'data: changed\n\n');
    assert.notEqual((await call(origin, 'GET', '/', KEYLESS)).text, page.text);
  });
});
