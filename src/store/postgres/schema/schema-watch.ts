import type { ApiError } from '../../../contract/errors.ts';
import { UPGRADED, upgradedMeanwhile } from '../../migrations.ts';
import type { ConnectionGroup } from '../pool/connection-group.ts';
import { NEWEST_VERSION, versionOf } from './migrate.ts';

const EVERY_MS = 500;

/**
 * Notices when a version that this one cannot run beside has upgraded the database: writes of this one would lack what that version relies on.
 * A database that cannot be asked is noticed elsewhere. `problem` says why nothing may be written.
 */
export function watchSchema(
  database: Pick<ConnectionGroup, 'read'>,
  report: (message: string) => void = () => {},
) {
  let problem: ApiError | undefined;

  async function look(): Promise<void> {
    const version = await database.read(versionOf);
    const isNewer = version > NEWEST_VERSION;
    if (isNewer && !problem) report(`the database ${UPGRADED}`);
    problem = isNewer ? upgradedMeanwhile() : undefined;
  }

  const timer = setInterval(() => void look().catch(() => {}), EVERY_MS).unref();
  return { problem: () => problem, stop: () => clearInterval(timer) };
}
