import { UsageError } from '../config.ts';
import type { Command } from './command.ts';

export const serve: Command = {
  summary: 'Run the service until it receives SIGTERM or SIGINT.',
  positionals: [],
  settings: [
    'host',
    'port',
    'database',
    'apiKeys',
    'baseUrl',
    'stagingBaseUrl',
    'removeDeprecated',
    'workers',
    'pages',
    'rateLimit',
    'corsOrigin',
    'trustProxy',
    'metricsPort',
    'backupDir',
    'backupEvery',
    'backupKeep',
    'eventsKeep',
    'logLevel',
  ],
  flags: {},
  async run({ config }) {
    // Loaded on demand: the primary itself serves no requests and starts faster without the code for it.
    if (config.workers === 1) return (await import('../serve/single-process.ts')).serveInOneProcess(config);
    if (config.database === 'sqlite::memory:')
      throw new UsageError(
        'a database in memory exists in one process only: leave --workers at 1, or name a file with --database',
      );
    return (await import('../serve/cluster/primary.ts')).serveWithWorkers(config);
  },
};
