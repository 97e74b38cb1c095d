import { statSync } from 'node:fs';
import { settings } from '../config.ts';
import { parseDatabaseUrl, printable } from '../store/database-url.ts';
import { fileError } from '../store/file-errors.ts';
import { DamagedFile } from '../store/store.ts';
import { inspectStore } from '../store/tools/inspect.ts';
import { type Command, type Flag, jsonFlag } from './command.ts';
import { advised, type Given } from './database.ts';
import { checkBackups } from './doctor/backups.ts';
import { checkConfiguration } from './doctor/configuration.ts';
import { checkDatabase, restore, START_OR_NAME } from './doctor/database.ts';
import { checkAccess, checkDisk } from './doctor/disk.ts';
import { type Finding, findingsOf } from './doctor/finding.ts';
import { checkKeys } from './doctor/keys.ts';
import { count, print } from './io.ts';

/** Not read as settings, because the doctor reports every wrong one and not only the first. */
const serveFlags: Record<string, Flag> = Object.fromEntries(
  Object.values(settings).flatMap(({ flag, env }) =>
    flag === undefined ? [] : [[flag, { type: 'string', meaning: `as for serve (${env})` }]],
  ),
);

export const doctor: Command = {
  summary: 'Check configuration, database, disk, keys, clock and backups; exit with 1 if something is wrong.',
  details:
    'Run it with the environment and the flags of the service, which may be running. It leaves nothing behind.\n' +
    'Checking the content of a large SQLite database takes several seconds.',
  positionals: [],
  settings: [],
  flags: { json: jsonFlag, ...serveFlags },
  async run({ flags, io }) {
    const { findings: configured, config } = checkConfiguration(flags, io.env);
    const findings = [...configured, ...(config ? await checkStore({ config, flags }) : [])];
    const problems = findings.filter(({ status }) => status === 'problem').length;
    if (problems > 0) io.exitCode = 1;
    if (flags.json) return print(io, JSON.stringify({ ok: problems === 0, findings }));
    for (const finding of findings) print(io, ...linesOf(finding));
    print(io, '', problems === 0 ? 'Everything is fine.' : `Found ${count(problems, 'problem')}.`);
  },
};

async function checkStore(given: Given): Promise<Finding[]> {
  const { config } = given;
  const { database: url } = config;
  const database = parseDatabaseUrl(url);
  if (database.kind === 'memory') return [];
  const { problem } = findingsOf('database');
  try {
    if (database.kind === 'sqlite' && !statSync(database.path, { throwIfNoEntry: false }))
      return [
        problem(
          `there is no database ${printable(url)}`,
          `if it was lost, restore a backup: ${advised(given, 'restore', 'FILE')}; otherwise ${START_OR_NAME}`,
        ),
      ];
    const inspection = await inspectStore(url);
    return [
      ...checkDatabase(given, inspection),
      ...checkDisk(config),
      ...checkAccess(config),
      ...(inspection.keys ? checkKeys(given, inspection.keys) : []),
      ...checkBackups(given),
    ];
  } catch (cause) {
    const error = fileError(cause);
    return [
      problem(
        error.message,
        error instanceof DamagedFile ? `if it is that of the service, ${restore(given)}` : undefined,
      ),
      ...checkDisk(config),
      // A file that cannot be used is no reason to back it up.
      ...(config.backupDir === undefined ? [] : checkBackups(given)),
    ];
  }
}

function linesOf({ check, status, message, advice }: Finding): string[] {
  const line = `${status.padEnd(7)}  ${check.padEnd(13)}  ${message}`;
  return advice === undefined ? [line] : [line, `${' '.repeat(24)}-> ${advice}`];
}
