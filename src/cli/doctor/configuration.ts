import { type Config, type Flags, readSettings, type SettingName, settings } from '../../config.ts';
import { conflictsIn } from '../../serve/conflicts.ts';
import { parseDatabaseUrl } from '../../store/database-url.ts';
import type { Io } from '../io.ts';
import { type Finding, findingsOf } from './finding.ts';

const { ok, notice, problem } = findingsOf('configuration');

interface CheckedConfiguration {
  readonly findings: readonly Finding[];
  /** Undefined if the database is not known. Other settings that are wrong have their defaults. */
  readonly config?: Config;
}

/** Reads every setting as `serve` would, and reports all that are wrong, not only the first. */
export function checkConfiguration(flags: Flags, env: Io['env']): CheckedConfiguration {
  const names = Object.keys(settings) as SettingName[];
  const { config, problems } = readSettings(names, flags, env);
  const wrong = [...problems.values()].map((message) => problem(message));
  if (problems.has('database')) return { findings: wrong };
  const conflicts = conflictsIn(config).map(({ problem: what, remedy }) => problem(what, remedy));
  const findings = [...wrong, ...conflicts];
  if (parseDatabaseUrl(config.database).kind === 'memory')
    findings.push(
      problem(
        'the database is in memory: everything is lost when the service stops',
        'name a file with --database',
      ),
    );
  if (config.removeDeprecated)
    findings.push(notice('deprecated operations are switched off: getPet gets 410'));
  return { findings: findings.length > 0 ? findings : [ok('every setting is valid')], config };
}
