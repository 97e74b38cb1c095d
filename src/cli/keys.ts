import { UsageError } from '../config.ts';
import { FULL_ACCESS } from '../contract/scope.ts';
import { issueKey } from '../keys/issue.ts';
import { printable } from '../store/database-url.ts';
import type { ApiKey } from '../store/store.ts';
import { type Command, jsonFlag } from './command.ts';
import { createFlag, createKeyCommand, isNewDefault, withStore } from './database.ts';
import { asTyped, date, print, table } from './io.ts';
import { NEVER, nameFlag, readExpiry, readKeyName, readScopes, scopesFlag } from './key-flags.ts';
import { changeKey, printNewKey, shown } from './key-output.ts';
import { expiresSoon, isNeverUsed, isReplaced, renewalOf, stateOf } from './key-state.ts';

export const createKey: Command = {
  summary: 'Create an API key and print it. It is shown only once.',
  positionals: [],
  settings: ['database'],
  flags: {
    name: { ...nameFlag, meaning: `${nameFlag.meaning} (required)` },
    scopes: { ...scopesFlag, meaning: `${scopesFlag.meaning}. Default: full access` },
    expires: {
      type: 'string',
      meaning: `how long the key is valid, for example 90d, 12h or 30m; default and ${NEVER}: until it is revoked`,
    },
    create: createFlag,
    json: jsonFlag,
  },
  async run({ config, flags, io }) {
    const name = readKeyName(flags.name);
    if (name === undefined) throw new UsageError('--name is required, for example --name "till 3"');
    const scopes = readScopes(flags.scopes) ?? [FULL_ACCESS];
    const expiresAt = readExpiry(flags.expires) ?? undefined;
    const { key, stored } = await withStore(
      { config },
      (store) => issueKey(store, { name, scopes, expiresAt }),
      flags.create === true || isNewDefault(config),
    );
    const database = printable(config.database);
    if (flags.json) return print(io, JSON.stringify({ ...shown(stored), key, database }));
    printNewKey(io, key, stored, database);
  },
};

export const listKeys: Command = {
  summary: 'List the API keys: names, scopes and dates, never the keys themselves.',
  details:
    'The last column says which keys expire within two weeks or were never used, and which keys created, changed, rotated or revoked them.',
  positionals: [],
  settings: ['database'],
  flags: { json: jsonFlag },
  async run({ config, flags, io }) {
    const keys = await withStore({ config }, (store) => store.listKeys());
    if (flags.json) return print(io, JSON.stringify(keys.map(shown)));
    if (keys.length === 0)
      return print(io, `There are no keys yet. Create one: ${createKeyCommand(io, config)}`);
    table(
      io,
      ['ID', 'NAME', 'SCOPES', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'NOTE'],
      keys.map((key) => [
        key.id,
        key.name,
        key.scopes.join(),
        stateOf(key),
        date(key.createdAt),
        date(key.expiresAt),
        date(key.lastUsedAt),
        noteOn(key),
      ]),
    );
    const expiring = keys.find((key) => expiresSoon(key) && !isReplaced(key, keys));
    if (expiring)
      print(io, asTyped(io, `\nReplace key ${expiring.id} before it expires: ${renewalOf(expiring)}`));
  },
};

export const revokeKey: Command = {
  summary: 'Revoke an API key. Every running service rejects it within a second.',
  positionals: ['ID'],
  settings: ['database'],
  flags: { json: jsonFlag },
  async run({ config, flags, io, positionals: [id = ''] }) {
    const key = await changeKey(
      id,
      withStore({ config }, (store) => store.revokeKey(id)),
    );
    if (flags.json) return print(io, JSON.stringify(shown(key)));
    print(io, `Key ${key.id} (${key.name}) was revoked at ${date(key.revokedAt)}.`);
    if (key.replacedBy !== undefined)
      print(
        io,
        asTyped(
          io,
          `Key ${key.replacedBy}, which replaces it, is not: animal-store keys revoke ${key.replacedBy}`,
        ),
      );
  },
};

const noteOn = (key: ApiKey): string =>
  [
    key.replacedBy !== undefined && `replaced by ${key.replacedBy}`,
    key.replacedBy === undefined && expiresSoon(key) && 'expires soon',
    stateOf(key) === 'active' && isNeverUsed(key) && 'never used',
    key.createdBy !== undefined && `created by ${key.createdBy}`,
    key.changedBy !== undefined && `changed by ${key.changedBy}`,
    key.rotatedBy !== undefined && `rotated by ${key.rotatedBy}`,
    key.revokedBy !== undefined && `revoked by ${key.revokedBy}`,
  ]
    .filter(Boolean)
    .join(', ');
