import { UsageError } from '../config.ts';
import { digestOf, generateKey } from '../keys/format.ts';
import { expiresSoon, isNeverUsed, replacementOf, stateOf } from '../keys/state.ts';
import { printable } from '../store/printable.ts';
import type { ApiKey } from '../store/store.ts';
import { type Command, print } from './command.ts';
import { createFlag, isNewDefault } from './database.ts';
import {
  date,
  durationFlag,
  jsonFlag,
  noSuchKey,
  printNewKey,
  shown,
  table,
  withStore,
} from './key-output.ts';

const NAME = /^[^\p{Cc}]{1,100}$/u;

export const createKey: Command = {
  summary: 'Create an API key and print it. It is shown only once.',
  positionals: [],
  settings: ['database'],
  flags: {
    name: { type: 'string', meaning: 'who uses the key, for example "till 3" (required)' },
    expires: {
      type: 'string',
      meaning: 'how long the key is valid, for example 90d, 12h or 30m; default: forever',
    },
    create: createFlag,
    json: jsonFlag,
  },
  async run({ config, flags }) {
    const name = typeof flags.name === 'string' && NAME.test(flags.name) ? flags.name : undefined;
    if (name === undefined)
      throw new UsageError('--name is required, with 1 to 100 characters, for example --name "till 3"');
    const expiresAt =
      flags.expires === undefined ? undefined : new Date(Date.now() + durationFlag('expires', flags.expires));
    const key = generateKey();
    const stored = await withStore(
      config,
      (store) => store.createKey({ name, digest: digestOf(key), expiresAt }),
      flags.create === true || isNewDefault(config),
    );
    const database = printable(config.database);
    if (flags.json) return print(JSON.stringify({ ...shown(stored), key, database }));
    printNewKey(key, stored, database);
  },
};

export const listKeys: Command = {
  summary: 'List the API keys: names and dates, never the keys themselves.',
  details: 'The last column marks keys that expire within two weeks, and keys that were never used.',
  positionals: [],
  settings: ['database'],
  flags: { json: jsonFlag },
  async run({ config, flags }) {
    const keys = await withStore(config, (store) => store.listKeys());
    if (flags.json) return print(JSON.stringify(keys.map(shown)));
    if (keys.length === 0)
      return print('There are no keys yet. Create one: animal-store keys create --name "till 3"');
    table(
      ['ID', 'NAME', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'NOTE'],
      keys.map((key) => [
        key.id,
        key.name,
        stateOf(key),
        date(key.createdAt),
        date(key.expiresAt),
        date(key.lastUsedAt),
        noteOn(key),
      ]),
    );
    const expiring = keys.find((key) => expiresSoon(key) && !replacementOf(key, keys));
    if (expiring) print(`\nReplace a key before it expires: animal-store keys rotate ${expiring.id}`);
  },
};

export const revokeKey: Command = {
  summary: 'Revoke an API key. Every running service rejects it within a second.',
  positionals: ['ID'],
  settings: ['database'],
  flags: { json: jsonFlag },
  async run({ config, flags, positionals: [id = ''] }) {
    const key = await withStore(config, (store) => store.revokeKey(id));
    if (!key) throw noSuchKey(id);
    print(
      flags.json
        ? JSON.stringify(shown(key))
        : `Key ${key.id} (${key.name}) was revoked at ${date(key.revokedAt)}.`,
    );
  },
};

const noteOn = (key: ApiKey): string =>
  [expiresSoon(key) && 'expires soon', isNeverUsed(key) && 'never used'].filter(Boolean).join(', ');
