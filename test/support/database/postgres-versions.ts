import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { notTested } from '../service/tools.ts';
import { createCluster, type Server } from './postgres.ts';

/** The programs of the PostgreSQL of this machine, which Debian installs: an older version than the embedded one. */
export const installedPostgres = globSync('/usr/lib/postgresql/*/bin').find((folder) =>
  ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((program) => existsSync(join(folder, program))),
);

interface Version {
  readonly name: string;
  /** The folder of its programs, unless it is the embedded one. */
  readonly installed?: string;
}

/** The versions that a test runs on, one after the other. */
export const postgresVersions: readonly Version[] = [
  { name: 'PostgreSQL 18' },
  ...(installedPostgres
    ? [{ name: `PostgreSQL ${/\d+/.exec(installedPostgres)}`, installed: installedPostgres }]
    : []),
];

if (!installedPostgres)
  it('on an older PostgreSQL', (t) =>
    notTested(t, "this machine has no PostgreSQL of its own, such as Debian's"));

/** A server of each version, or of the newest ones, all started before the first test runs. */
export const startVersions = (most?: number): Promise<{ readonly name: string; readonly server: Server }[]> =>
  Promise.all(
    postgresVersions.slice(0, most).map(async ({ name, installed }) => {
      const server = await createCluster(name.replace(' ', '-'), after, undefined, installed);
      await server.start();
      return { name, server };
    }),
  );
