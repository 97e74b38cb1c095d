import type { Command } from './command.ts';

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
  run: async ({ config }) => (await import('../serve/serve.ts')).serve(config),
};
