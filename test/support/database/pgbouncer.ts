import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { eventually } from '../eventually.ts';
import { freePort } from '../service/free-port.ts';
import { isReachable } from '../service/is-reachable.ts';

/** PgBouncer refuses to run as root. */
const asNobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Starts PgBouncer in front of this URL until the test ends. Returns the URL through it. */
export async function startPgBouncer(
  t: TestContext,
  url: string,
  settings: Record<string, string>,
): Promise<string> {
  const { hostname, port: serverPort, pathname } = new URL(url);
  const folder = await mkdtemp(join(tmpdir(), 'animal-store-pgbouncer-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: `${port}`,
    unix_socket_dir: '',
    auth_type: 'any',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const database = `* = host=${hostname} port=${serverPort} user=postgres`;
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(file, ['[databases]', database, '[pgbouncer]', ...lines, ''].join('\n'));
  const child = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...asNobody });
  t.after(async () => {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`);
    return isReachable(port);
  }, 'PgBouncer accepts connections');
  return `postgres://postgres@127.0.0.1:${port}${pathname}`;
}
