import type { ChildProcess } from 'node:child_process';
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onCleanup } from '../../bench/cleanup.ts';
import { answers, kill, processesIn, signalAll, start } from './processes.ts';
import type { Programs } from './programs.ts';

export const PASSWORD = 'only-for-the-demonstration';

/** PostgreSQL refuses to run as root. If we are root, Patroni and PostgreSQL run as the user `nobody`. */
const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : undefined;

interface NodeOptions {
  readonly programs: Programs;
  readonly folder: string;
  readonly etcdPort: number;
  readonly name: string;
  readonly port: number;
  readonly apiPort: number;
}

/** One database machine: Patroni and the PostgreSQL server that it runs. */
export class DatabaseNode {
  readonly name: string;
  readonly port: number;
  readonly #options: NodeOptions;
  readonly #home: string;
  readonly #data: string;
  #patroni: ChildProcess | undefined;

  constructor(options: NodeOptions) {
    this.name = options.name;
    this.port = options.port;
    this.#options = options;
    this.#home = join(options.folder, options.name);
    this.#data = join(this.#home, 'data');
  }

  async start(): Promise<void> {
    const { programs, folder, etcdPort, name, port, apiPort } = this.#options;
    const home = this.#home;
    await mkdir(home, { recursive: true });
    if (user) await chown(home, user.uid, user.gid);
    this.#patroni = await start({
      file: programs.patroni,
      args: [join(folder, 'patroni.yml')],
      env: {
        HOME: home,
        PATRONI_NAME: name,
        [programs.usesEtcd3 ? 'PATRONI_ETCD3_HOSTS' : 'PATRONI_ETCD_HOSTS']: `'127.0.0.1:${etcdPort}'`,
        PATRONI_RESTAPI_LISTEN: `127.0.0.1:${apiPort}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${apiPort}`,
        PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
        PATRONI_POSTGRESQL_DATA_DIR: this.#data,
        PATRONI_POSTGRESQL_BIN_DIR: programs.postgresBin,
        PATRONI_POSTGRESQL_PGPASS: join(home, 'pgpass'),
        PATRONI_SUPERUSER_USERNAME: 'postgres',
        PATRONI_SUPERUSER_PASSWORD: PASSWORD,
        PATRONI_REPLICATION_USERNAME: 'replicator',
        PATRONI_REPLICATION_PASSWORD: PASSWORD,
      },
      cwd: home,
      log: join(folder, `${name}.log`),
      ...(user && { user }),
    });
    onCleanup(() => this.kill());
  }

  isPrimary(): Promise<boolean> {
    return this.#is('primary');
  }

  /** Whether it is a standby; in synchronous mode, a standby that the primary waits for. */
  isStandby(synchronous: boolean): Promise<boolean> {
    return this.#is(synchronous ? 'synchronous' : 'replica');
  }

  /** kill -9 of Patroni, PostgreSQL and all their processes, as when the machine loses power. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL');
    if (this.#patroni) await kill(this.#patroni);
  }

  /** Suspends all these processes: their connections stay open, but nothing is answered. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  #is(role: string): Promise<boolean> {
    return answers(`http://127.0.0.1:${this.#options.apiPort}/${role}`);
  }

  /** Signals twice, because a process may start another one between the list and the signal. */
  #signal(signal: NodeJS.Signals): void {
    for (let pass = 0; pass < 2; pass++) {
      signalAll([...processesIn(this.#home), ...processesIn(this.#data)], signal);
    }
  }
}
