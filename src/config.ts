import { BASE_PATH } from './contract/operation.ts';
import { type Level, levels } from './log.ts';

/** More than any machine gains by: a typing error, most likely. */
const MOST_WORKERS = 64;

/** A wrong call. The message is one line that says what to do. */
export class UsageError extends Error {}

interface Setting<T> {
  readonly flag?: string;
  readonly env: string;
  readonly fallback: string;
  readonly meaning: string;
  /** Throws an Error that says what the value must be. */
  readonly read: (text: string) => T;
}

/** Every setting, once. Its type, the command line and `--help` follow from it. */
export const settings = {
  host: setting({
    flag: 'host',
    env: 'HOST',
    fallback: '127.0.0.1',
    meaning: 'address to listen on',
    read: filled,
  }),
  port: setting({
    flag: 'port',
    env: 'PORT',
    fallback: '8080',
    meaning: 'port to listen on; 0 takes a free one',
    read: port,
  }),
  database: setting({
    flag: 'database',
    env: 'DATABASE_URL',
    fallback: 'sqlite:data/animal-store.db',
    meaning: 'where animals are kept; also postgres://…, and sqlite::memory:, which forgets them at the end',
    read: filled,
  }),
  apiKeys: setting({
    env: 'API_KEYS',
    fallback: '',
    meaning: 'keys accepted beside the stored ones, separated by commas',
    read: keys,
  }),
  baseUrl: setting({
    flag: 'base-url',
    env: 'BASE_URL',
    fallback: '',
    meaning: 'public address of production, ending in /v1',
    read: baseUrl,
  }),
  stagingBaseUrl: setting({
    flag: 'staging-base-url',
    env: 'STAGING_BASE_URL',
    fallback: '',
    meaning: 'public address of staging, ending in /v1',
    read: baseUrl,
  }),
  removeDeprecated: setting({
    flag: 'remove-deprecated',
    env: 'REMOVE_DEPRECATED',
    fallback: 'false',
    meaning: 'true answers 410 to deprecated operations, to rehearse their removal',
    read: yesOrNo,
  }),
  workers: setting({
    flag: 'workers',
    env: 'WORKERS',
    fallback: '1',
    meaning: 'processes that serve side by side: as many cores as are put to use',
    read: workers,
  }),
  logLevel: setting({
    flag: 'log-level',
    env: 'LOG_LEVEL',
    fallback: 'info',
    meaning: 'lowest severity that is logged: debug, info, warn or error',
    read: logLevel,
  }),
};

export type SettingName = keyof typeof settings;
export type Config = { readonly [N in SettingName]: ReturnType<(typeof settings)[N]['read']> };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The settings by flag, else environment, else default. An empty variable counts as unset. Only `names` are read: a
 * command is not stopped by a setting that it does not use, and has the default of it.
 */
export function readConfig(names: readonly SettingName[], flags: Flags, env: Environment): Config {
  const entries = Object.entries(settings).map(([name, setting]) => {
    const used = names.includes(name as SettingName);
    const flag = used && setting.flag !== undefined ? flags[setting.flag] : undefined;
    const value = flag ?? ((used && env[setting.env]) || setting.fallback);
    try {
      return [name, setting.read(String(value))];
    } catch (error) {
      throw new UsageError(
        `${flag === undefined ? setting.env : `--${setting.flag}`} ${(error as Error).message}`,
      );
    }
  });
  return Object.fromEntries(entries) as Config;
}

/** What the command line gave, by flag. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

function setting<T>(row: Setting<T>): Setting<T> {
  return row;
}

function filled(value: string): string {
  if (value === '') throw new Error('must not be empty');
  return value;
}

function port(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65535)
    throw new Error(`must be a port from 0 to 65535, not "${value}"`);
  return Number(value);
}

function keys(value: string): string[] {
  const list = value
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  const bad = list.findIndex((key) => !/^[\x21-\x7e]+$/.test(key));
  if (bad >= 0) throw new Error(`must hold visible ASCII characters only; key ${bad + 1} has another`);
  return list;
}

function baseUrl(value: string): string | undefined {
  if (value === '') return undefined;
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || !isBare(url)) {
    throw new Error(`must be an http or https address that ends in ${BASE_PATH}, not "${value}"`);
  }
  return value;
}

/** Nothing before the host or behind the path, which ends in the version. */
function isBare({ username, password, pathname, search, hash }: URL): boolean {
  return pathname.endsWith(BASE_PATH) && `${username}${password}${search}${hash}` === '';
}

function workers(value: string): number {
  if (!/^[1-9]\d?$/.test(value) || Number(value) > MOST_WORKERS)
    throw new Error(`must be a whole number from 1 to ${MOST_WORKERS}, not "${value}"`);
  return Number(value);
}

function logLevel(value: string): Level {
  if (!Object.hasOwn(levels, value))
    throw new Error(`must be one of ${Object.keys(levels).join(', ')}, not "${value}"`);
  return value as Level;
}

function yesOrNo(value: string): boolean {
  if (value !== 'true' && value !== 'false') throw new Error(`must be true or false, not "${value}"`);
  return value === 'true';
}
