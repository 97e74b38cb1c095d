import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { eventually } from '../support/eventually.ts';
import { MAIN } from '../support/service/launch.ts';
import { call, KEY, temporaryFolder } from '../support/service/service.ts';

it('a log that is appended to a file continues at its beginning after logrotate has truncated it', {
  timeout: 60_000,
}, async (t) => {
  const folder = await temporaryFolder(t);
  const [log, rotated] = [join(folder, 'store.log'), join(folder, 'store.log.1')];
  await writeFile(log, '');
  const env = { PATH: process.env.PATH, DATABASE_URL: 'sqlite::memory:', API_KEYS: KEY, PORT: '0' };
  const child = spawn('sh', ['-c', 'exec "$0" "$1" serve >>"$2"', process.execPath, MAIN, log], { env });
  t.after(() => child.kill('SIGKILL'));
  const [banner] = await once(child.stderr, 'data');
  const origin = /http:\/\/[^/]+/.exec(String(banner))?.[0] ?? '';
  const lines = async () => (await readFile(log, 'utf8')).split('\n').slice(0, -1);
  const logged = (count: number) => async () =>
    (await lines()).filter((line) => line.includes('listPets')).length === count;

  for (let n = 0; n < 5; n++) await call(origin, 'GET', '/v1/pets');
  await eventually(logged(5), 'they are logged');
  await copyFile(log, rotated);
  await truncate(log);
  for (let n = 0; n < 3; n++) await call(origin, 'GET', '/v1/pets');
  await eventually(logged(3), 'the new lines are in the truncated file');
  for (const line of await lines()) assert.doesNotThrow(() => JSON.parse(line), line);
});
