import { type SettingName, settings } from '../config.ts';
import type { Command } from './command.ts';
import { createKeyCommand } from './database.ts';

export const serve: Command = {
  summary: 'Run the service until it receives SIGTERM or SIGINT.',
  positionals: [],
  settings: Object.keys(settings) as SettingName[],
  flags: {},
  run: async (invocation) =>
    (await import('../serve/serve.ts')).serve(invocation.config, createKeyCommand(invocation)),
};
