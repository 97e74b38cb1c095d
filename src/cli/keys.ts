import { type Config, UsageError } from '../config.ts';
import { digestOf, generateKey } from '../keys/format.ts';
import { openStore } from '../store/open.ts';
import { printable } from '../store/printable.ts';
import type { ApiKey, Store } from '../store/store.ts';
import { type Command, print } from './command.ts';
import { assertDatabase, createFlag, isNewDefault } from './database.ts';

const NAME = /^[^\p{Cc}]{1,100}$/u;
const LIFETIME = /^([1-9]\d{0,4})([dhm])$/;
const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000 };
const json = { type: 'boolean', meaning: 'print JSON, for scripts' } as const;

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
    json,
  },
  async run({ config, flags }) {
    const name = typeof flags.name === 'string' && NAME.test(flags.name) ? flags.name : undefined;
    if (name === undefined)
      throw new UsageError('--name is required, with 1 to 100 characters, for example --name "till 3"');
    const expiresAt = typeof flags.expires === 'string' ? expiryOf(flags.expires) : undefined;
    const key = generateKey();
    const stored = await withStore(
      config,
      (store) => store.createKey({ name, digest: digestOf(key), expiresAt }),
      flags.create === true || isNewDefault(config),
    );
    const database = printable(config.database);
    if (flags.json) return print(JSON.stringify({ ...shown(stored), key, database }));
    print(`${key}\n`);
    print(`Created key ${stored.id} (${name}) in ${database}`);
    print(`It works within a second, until ${expiresAt ? date(expiresAt) : 'it is revoked'}.`);
    print('Save it now: only its digest is stored, so it cannot be shown again.');
  },
};

export const listKeys: Command = {
  summary: 'List the API keys: names and dates, never the keys themselves.',
  positionals: [],
  settings: ['database'],
  flags: { json },
  async run({ config, flags }) {
    const keys = await withStore(config, (store) => store.listKeys());
    if (flags.json) return print(JSON.stringify(keys.map(shown)));
    if (keys.length === 0)
      return print('There are no keys yet. Create one: animal-store keys create --name "till 3"');
    table(
      ['ID', 'NAME', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'],
      keys.map((key) => [
        key.id,
        key.name,
        stateOf(key),
        date(key.createdAt),
        date(key.expiresAt),
        date(key.lastUsedAt),
      ]),
    );
  },
};

export const revokeKey: Command = {
  summary: 'Revoke an API key. Every running service rejects it within a second.',
  positionals: ['ID'],
  settings: ['database'],
  flags: { json },
  async run({ config, flags, positionals: [id = ''] }) {
    const key = await withStore(config, (store) => store.revokeKey(id));
    if (!key) throw new Error(`there is no key ${id}: run animal-store keys list to see all keys`);
    print(
      flags.json
        ? JSON.stringify(shown(key))
        : `Key ${key.id} (${key.name}) was revoked at ${date(key.revokedAt)}.`,
    );
  },
};

async function withStore<T>(
  config: Config,
  work: (store: Store) => Promise<T>,
  create?: boolean,
): Promise<T> {
  assertDatabase(config, create);
  const store = await openStore(config.database, { create: create === true });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function expiryOf(text: string): Date {
  const [, count, unit] = LIFETIME.exec(text) ?? [];
  if (count === undefined)
    throw new UsageError(`--expires must be a time such as 90d, 12h or 30m, not "${text}"`);
  return new Date(Date.now() + Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]);
}

function stateOf({ revokedAt, expiresAt }: ApiKey): 'revoked' | 'expired' | 'active' {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= new Date() ? 'expired' : 'active';
}

function shown(key: ApiKey) {
  const { digest, ...rest } = key;
  return { ...rest, state: stateOf(key) };
}

const date = (value: Date | undefined): string => value?.toISOString().replace(/\.\d+Z$/, 'Z') ?? '-';

function table(head: string[], rows: string[][]): void {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  for (const row of [head, ...rows])
    print(
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
