import { type Flags, UsageError } from '../config.ts';
import { duration } from '../config-values.ts';
import { ApiError } from '../contract/errors.ts';
import { DEFAULT_OVERLAP, isKeyName, KEY_NAME_RULE, parseScopes, SCOPES_RULE } from '../contract/key.ts';
import { FULL_ACCESS, operationScopes, type Scope } from '../contract/scope.ts';
import { DURATION_RULE, durationMs } from '../contract/time.ts';
import { issueKey, replaceKey, shownKey } from '../keys/issue.ts';
import { printable } from '../store/database-url.ts';
import type { ApiKey, Store } from '../store/store.ts';
import { type Command, flagValue, type Invocation, jsonFlag } from './command.ts';
import { advised, createFlag, createKeyCommand, withStore } from './database.ts';
import { date, type Io, print, table } from './io.ts';
import { expiresSoon, hasFullAccess, isNeverUsed, isReplaced, renewalOf, stateOf } from './key-state.ts';

const nameFlag = { type: 'string', meaning: 'who uses the key, for example "till 3"' } as const;
const scopesFlag = {
  type: 'string',
  meaning: `what the key may do, separated by commas: ${operationScopes.join(', ')}. Writing includes reading`,
} as const;
/** The value of `--expires` for a key that works until it is revoked. */
const NEVER = 'never';

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
  async run(invocation) {
    const { flags } = invocation;
    const name = readKeyName(flags.name);
    if (name === undefined) throw new UsageError('--name is required, for example --name "till 3"');
    const scopes = readScopes(flags.scopes) ?? [FULL_ACCESS];
    const expiresAt = readExpiry(flags.expires) ?? undefined;
    const { key, stored } = await withStore(
      invocation,
      (store) => issueKey(store, { name, scopes, expiresAt }),
      flags.create === true,
    );
    printNewKey(invocation, key, stored);
  },
};

export const listKeys: Command = {
  summary: 'List the API keys: names, scopes and dates, never the keys themselves.',
  details:
    'The last column says which keys expire soon (within two weeks, and in the last quarter of their lifetime) or were never used, and which keys created, changed, rotated or revoked them.',
  positionals: [],
  settings: ['database'],
  flags: { json: { ...jsonFlag, meaning: 'print one JSON line per key, for scripts' } },
  async run(invocation) {
    const { flags, io } = invocation;
    const keys = await withStore(invocation, (store) => store.listKeys());
    if (flags.json) return print(io, ...keys.map((key) => JSON.stringify(shown(key))));
    if (keys.length === 0)
      return print(io, `There are no keys yet. Create one: ${createKeyCommand(invocation)}`);
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
    if (!expiring) return;
    const renewal = advised(invocation, ...renewalOf(expiring, keys));
    print(io, '', `Replace key ${expiring.id} before it expires: ${renewal}`);
  },
};

export const updateKey: Command = {
  summary: 'Change the name, the scopes or the expiry of an API key.',
  details:
    'What is not given stays as it is. Every running service acts on the change within a second. A key that is revoked or has expired cannot be changed.',
  positionals: ['ID'],
  settings: ['database'],
  flags: {
    name: nameFlag,
    scopes: { ...scopesFlag, meaning: `${scopesFlag.meaning}. * is full access` },
    expires: {
      type: 'string',
      meaning: `how long the key is valid from now on, for example 90d, 12h or 30m; ${NEVER}: until it is revoked`,
    },
    json: jsonFlag,
  },
  async run(invocation) {
    const { flags, io } = invocation;
    const changes = {
      name: readKeyName(flags.name),
      scopes: readScopes(flags.scopes),
      expiresAt: readExpiry(flags.expires),
    };
    if (Object.values(changes).every((value) => value === undefined))
      throw new UsageError('nothing to change: give --name, --scopes or --expires');
    const key = await changeKey(invocation, (store, id) => store.updateKey(id, changes));
    if (flags.json) return print(io, JSON.stringify(shown(key)));
    print(io, `Changed key ${key.id} (${key.name}).`);
    printAccess(io, key);
  },
};

export const revokeKey: Command = {
  summary: 'Revoke an API key. Every running service rejects it within a second.',
  positionals: ['ID'],
  settings: ['database'],
  flags: { json: jsonFlag },
  async run(invocation) {
    const { flags, io } = invocation;
    const key = await changeKey(invocation, (store, id) => store.revokeKey(id));
    if (flags.json) return print(io, JSON.stringify(shown(key)));
    print(io, `Key ${key.id} (${key.name}) was revoked at ${date(key.revokedAt)}.`);
    if (key.replacedBy === undefined) return;
    const revoke = advised(invocation, 'keys', 'revoke', key.replacedBy);
    print(io, `Key ${key.replacedBy}, which replaces it, is not: ${revoke}`);
  },
};

export const rotateKey: Command = {
  summary: 'Create a key that replaces another one, which expires after an overlap.',
  details:
    'The new key has the same name, scopes and lifetime: the time from the creation of the old one to its expiry as it is now.\n' +
    'To end a key at once, use animal-store keys revoke.',
  positionals: ['ID'],
  settings: ['database'],
  flags: {
    overlap: {
      type: 'string',
      meaning: `how long the old key still works, for example 7d; default: ${DEFAULT_OVERLAP}. A key that expires earlier is not extended`,
    },
    expires: {
      type: 'string',
      meaning: 'how long the new key is valid; default: the lifetime of the old one',
    },
    json: jsonFlag,
  },
  async run(invocation) {
    const { flags } = invocation;
    const overlapMs = flagValue('overlap', flags.overlap ?? DEFAULT_OVERLAP, duration);
    const lifetimeMs =
      flags.expires === undefined ? undefined : flagValue('expires', flags.expires, duration);
    const { key, created, replaced } = await changeKey(invocation, (store, id) =>
      replaceKey(store, id, { lifetimeMs, overlapMs }),
    );
    printNewKey(invocation, key, created, replaced);
  },
};

function readKeyName(given: Flags[string]): string | undefined {
  if (given === undefined) return undefined;
  const name = String(given);
  if (!isKeyName(name)) throw new UsageError(`--name ${KEY_NAME_RULE}, for example --name "till 3"`);
  return name;
}

/** When the key expires; null for never. */
function readExpiry(given: Flags[string]): Date | null | undefined {
  if (given === undefined) return undefined;
  if (given === NEVER) return null;
  const ms = durationMs(String(given));
  if (ms === undefined) throw new UsageError(`--expires ${DURATION_RULE}, or ${NEVER}, not "${given}"`);
  return new Date(Date.now() + ms);
}

function readScopes(given: Flags[string]): readonly Scope[] | undefined {
  if (given === undefined) return undefined;
  const words = String(given).split(',');
  const scopes = parseScopes(words.map((scope) => scope.trim()));
  if (!scopes) throw new UsageError(`--scopes ${SCOPES_RULE}, separated by commas`);
  return scopes;
}

/** What `change` returns for the key that the command names. If there is none, says where to find one. */
async function changeKey<T>(
  invocation: Invocation,
  change: (store: Store, id: string) => Promise<T>,
): Promise<T> {
  const [id = ''] = invocation.positionals;
  try {
    return await withStore(invocation, (store) => change(store, id));
  } catch (cause) {
    if (!(cause instanceof ApiError) || cause.code !== 'key_not_found') throw cause;
    const list = advised(invocation, 'keys', 'list');
    throw new Error(`there is no key ${id}: see all keys with ${list}`, { cause });
  }
}

/** A key for `--json`. */
const shown = (key: ApiKey) => ({
  ...shownKey(key),
  state: stateOf(key),
  expiresSoon: expiresSoon(key),
  neverUsed: isNeverUsed(key),
});

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

/** Prints what a key may do, and until when. */
function printAccess(io: Io, { scopes, expiresAt }: ApiKey, when = ''): void {
  print(io, hasFullAccess({ scopes }) ? 'It has full access.' : `Scopes: ${scopes.join(', ')}`);
  print(io, `It works${when} until ${expiresAt ? date(expiresAt) : 'it is revoked'}.`);
}

/** Prints a new key, which cannot be shown again. */
function printNewKey({ config, flags, io }: Invocation, key: string, created: ApiKey, replaced?: ApiKey) {
  const database = printable(config.database);
  const replaces = replaced && shown(replaced);
  if (flags.json) return print(io, JSON.stringify({ ...shown(created), key, database, replaces }));
  print(io, key, '');
  print(io, `Created key ${created.id} (${created.name}) in ${database}`);
  printAccess(io, created, ' at once,');
  print(io, 'Save it now: only its digest is stored, so it cannot be shown again.');
  if (replaced) print(io, `Key ${replaced.id}, which it replaces, works until ${date(replaced.expiresAt)}.`);
}
