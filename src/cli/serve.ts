import type { Command } from './command.ts';
import { createKeyCommand } from './database.ts';

export const serve: Command = {
  summary: 'Run the service until it receives SIGTERM or SIGINT.',
  positionals: [],
  settings: [
    'host',
    'port',
    'reusePort',
    'database',
    'apiKeys',
    'baseUrl',
    'stagingBaseUrl',
    'removeDeprecated',
    'pages',
    'rateLimit',
    'corsOrigin',
    'trustProxy',
    'backupDir',
    'backupEvery',
    'backupKeep',
    'eventsKeep',
    'logLevel',
  ],
  flags: {},
  run: async (invocation) =>
    (await import('../serve/serve.ts')).serve(invocation.config, createKeyCommand(invocation)),
};
