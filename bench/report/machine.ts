import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { arch, availableParallelism, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { runSql } from '../../test/support/database/sql.ts';
import { median } from '../measure/figures.ts';
import type { Run } from '../run.ts';

const PACKAGES = ['express', 'fastify', 'json-server', 'bun'];

/** The machine of the run, in one sentence. */
export function hardware({ folder }: Run): string {
  const parts = [
    `${processor()}, ${availableParallelism()} cores (${arch()}), shared by servers and clients`,
    `${(totalmem() / 1e9).toFixed(0)} GB of memory`,
    `Linux ${release()}`,
    `one fdatasync takes ${fdatasyncMs(folder).toFixed(2)} ms`,
  ];
  return parts.join('; ');
}

/** The versions of the software, name and version. */
export async function versions({ postgres: server }: Run): Promise<[string, string][]> {
  return [
    ['Node.js', process.versions.node],
    ['SQLite', process.versions.sqlite ?? 'unknown'],
    ['PostgreSQL', server ? await postgresVersion(server.url('postgres')) : 'none'],
    ...PACKAGES.map((name): [string, string] => [name, versionOf(name)]),
  ];
}

function processor(): string {
  try {
    const text = execFileSync('lscpu', { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
    return /^Model name:\s*(.+)$/m.exec(text)?.[1] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** What a commit waits for, on the disk that has the databases of the run. */
function fdatasyncMs(folder: string): number {
  const file = openSync(join(folder, 'fdatasync'), 'w');
  const times = Array.from({ length: 50 }, () => {
    writeSync(file, Buffer.alloc(4096));
    const started = performance.now();
    fdatasyncSync(file);
    return performance.now() - started;
  });
  closeSync(file);
  return median(times);
}

async function postgresVersion(url: string): Promise<string> {
  const [row] = await runSql(url, 'SHOW server_version');
  return String(row?.server_version);
}

function versionOf(name: string): string {
  try {
    const file = join(import.meta.dirname, '../node_modules', name, 'package.json');
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
  } catch {
    return 'not installed';
  }
}
