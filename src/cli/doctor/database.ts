import { printable } from '../../store/database-url.ts';
import type { Inspection } from '../../store/tools/inspect.ts';
import { advised, type Given } from '../database.ts';
import { type Finding, findingsOf } from './finding.ts';

/** For a database without a store. */
export const START_OR_NAME = 'start the service once, or name its database with --database';

/** What the store itself tells: that it can be used, its schema, its content, its times. */
export function checkDatabase(given: Given, inspection: Inspection): Finding[] {
  return [checkSchema(given, inspection), checkIntegrity(given, inspection), checkClock(inspection)];
}

function checkSchema(given: Given, inspection: Inspection): Finding {
  const { isNew, versionsBehind, problems, sqliteVersion, connections } = inspection;
  const name = printable(given.config.database);
  const engine = sqliteVersion === undefined ? '' : ` with SQLite ${sqliteVersion}`;
  const { ok, notice, problem } = findingsOf('database');
  if (problems.length > 0)
    return problem(
      `the content of ${name} is wrong: ${problems.join('; ')}`,
      `undo what was changed in it, or ${restore(given)}`,
    );
  if (connections && connections.free < connections.needed)
    return problem(
      `the server has ${connections.free} free connections, and the service needs ${connections.needed} more`,
      'end programs that hold connections, or raise max_connections',
    );
  if (isNew)
    return notice(`${name} is empty: the next start of the service creates the store in it`, START_OR_NAME);
  if (versionsBehind === 0) return ok(`${name} can be used${engine}, and its schema is up to date`);
  if (versionsBehind < 0)
    return notice(
      `${name} can be used${engine}; its schema is of the next version of this program`,
      'complete the upgrade: start the new version in the place of this one',
    );
  return notice(
    `${name} can be used; the next start of the service upgrades its schema by ${versionsBehind} version(s)`,
    `back it up before: ${inspection.dumpCommand ?? advised(given, 'backup', 'FILE')}`,
  );
}

function checkIntegrity(given: Given, { damage }: Inspection): Finding {
  const { ok, problem } = findingsOf('integrity');
  if (damage.length === 0) return ok('no damage was found');
  return problem(`the database is damaged: ${damage.join('; ')}`, restore(given));
}

/** A store that contains anything is not replaced: it may have what no backup has. */
export const restore = (given: Given): string =>
  `stop it, move the database away, and restore a backup from before: ${advised(given, 'restore', 'FILE')}`;

/** A small difference between two machines is normal. */
const CLOCK_MS = 10_000;
/** The service did not exist before this time: an earlier clock is wrong. */
const RELEASED = Date.UTC(2026, 10, 14);

function checkClock({ latestTime, clockAheadMs }: Inspection): Finding {
  const { ok, problem } = findingsOf('clock');
  const now = Date.now();
  const advice = 'synchronize the clocks, for example with systemd-timesyncd or chrony';
  const time = new Date(now).toISOString();
  if (now < RELEASED) return problem(`the clock of this machine says ${time}, which is too early`, advice);
  if (Math.abs(clockAheadMs) > CLOCK_MS) {
    const seconds = Math.round(Math.abs(clockAheadMs) / 1000);
    const direction = clockAheadMs > 0 ? 'ahead of' : 'slower than';
    return problem(
      `the clock of the database server is ${seconds} s ${direction} the one of this machine`,
      advice,
    );
  }
  if (latestTime && latestTime.getTime() - now > CLOCK_MS)
    return problem(
      `the database contains a time in the future, ${latestTime.toISOString()}: now is ${time}`,
      `a clock was set back: ${advice}`,
    );
  return ok(`now is ${time}`);
}
