import * as values from './config-values.ts';
import { EVENTS_KEPT_DAYS } from './contract/time.ts';

/** The program was called incorrectly. The message is one line that says what to do. */
export class UsageError extends Error {}

interface Setting<T> {
  readonly flag?: string;
  readonly env: string;
  readonly fallback: string;
  readonly meaning: string;
  /** The name of the setting without which this one has no effect. */
  readonly needs?: string;
  /** Throws an Error that says what the value must be. */
  readonly read: (text: string) => T;
}

/** The one table of settings. Their types, the command line and `--help` are derived from it. */
export const settings = {
  host: setting({
    flag: 'host',
    env: 'HOST',
    fallback: '127.0.0.1',
    meaning: 'address to listen on',
    read: values.host,
  }),
  port: setting({
    flag: 'port',
    env: 'PORT',
    fallback: '8080',
    meaning: 'port to listen on; 0 chooses a free one',
    read: values.port,
  }),
  database: setting({
    flag: 'database',
    env: 'DATABASE_URL',
    fallback: 'sqlite:data/animal-store.db',
    meaning:
      'where animals are stored: sqlite:PATH, sqlite:///ABSOLUTE/PATH, sqlite::memory: (lost on exit) or postgres://…',
    read: values.databaseUrl,
  }),
  apiKeys: setting({
    env: 'API_KEYS',
    fallback: '',
    meaning:
      'API keys accepted in addition to the stored ones, with full access, separated by commas, 24 characters or more each',
    read: values.apiKeys,
  }),
  baseUrl: setting({
    flag: 'base-url',
    env: 'BASE_URL',
    fallback: '',
    meaning: 'public address of production, ending in /v1',
    read: values.baseUrl,
  }),
  stagingBaseUrl: setting({
    flag: 'staging-base-url',
    env: 'STAGING_BASE_URL',
    fallback: '',
    meaning: 'public address of staging, ending in /v1',
    read: values.baseUrl,
  }),
  removeDeprecated: setting({
    flag: 'remove-deprecated',
    env: 'REMOVE_DEPRECATED',
    fallback: 'false',
    meaning: 'true answers deprecated operations with 410, to rehearse or carry out their removal',
    read: values.oneOf({ true: true, false: false }),
  }),
  reusePort: setting({
    flag: 'reuse-port',
    env: 'REUSE_PORT',
    fallback: 'false',
    meaning:
      'true lets several processes listen on one port (Linux), for more cores or a restart without a gap',
    read: values.reusePort,
  }),
  pages: setting({
    flag: 'pages',
    env: 'PAGES',
    fallback: 'on',
    meaning: 'off does not serve the web pages (console and API reference)',
    read: values.oneOf({ on: true, off: false }),
  }),
  rateLimit: setting({
    flag: 'rate-limit',
    env: 'RATE_LIMIT',
    fallback: '',
    meaning: 'requests that each API key may make per process, such as 100/60s',
    read: values.rateLimit,
  }),
  corsOrigin: setting({
    flag: 'cors-origin',
    env: 'CORS_ORIGIN',
    fallback: '',
    meaning: 'origins whose web pages may call the service, separated by commas, or * for every origin',
    read: values.corsOrigins,
  }),
  trustProxy: setting({
    flag: 'trust-proxy',
    env: 'TRUST_PROXY',
    fallback: '',
    meaning: 'addresses or networks (CIDR) of proxies whose X-Forwarded-For is believed, separated by commas',
    read: values.trustProxy,
  }),
  backupDir: setting({
    flag: 'backup-dir',
    env: 'BACKUP_DIR',
    fallback: '',
    meaning: 'existing folder to which the service writes backups of its SQLite database',
    read: (text) => (text === '' ? undefined : text),
  }),
  backupEvery: setting({
    flag: 'backup-every',
    env: 'BACKUP_EVERY',
    fallback: '1h',
    meaning: 'how often it writes one, such as 30m, 1h or 1d',
    needs: 'backupDir',
    read: values.backupEvery,
  }),
  backupKeep: setting({
    flag: 'backup-keep',
    env: 'BACKUP_KEEP',
    fallback: '24',
    meaning: 'how many of them to keep; older ones are deleted after a new one was written',
    needs: 'backupDir',
    read: values.backupKeep,
  }),
  eventsKeep: setting({
    flag: 'events-keep',
    env: 'EVENTS_KEEP',
    fallback: `${EVENTS_KEPT_DAYS}d`,
    meaning: 'how long events of the change feed are kept, such as 12h or 90d',
    read: values.duration,
  }),
  logLevel: setting({
    flag: 'log-level',
    env: 'LOG_LEVEL',
    fallback: 'info',
    meaning: 'lowest level to log: info, warn or error',
    read: values.oneOf({ info: 'info', warn: 'warn', error: 'error' }),
  }),
};

export type SettingName = keyof typeof settings;
export type Config = { readonly [N in SettingName]: ReturnType<(typeof settings)[N]['read']> };

/** What the command line gave, by flag. */
export type Flags = Readonly<Record<string, string | boolean | undefined>>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads each setting from its flag, else from the environment, else takes its default. An empty variable counts as unset; an empty
 * flag does not. Only `names` are read, so that a setting that a command does not use cannot stop it. The others have their defaults,
 * and so does a setting that is wrong; `problems` has a line about each wrong one.
 */
export function readSettings(names: readonly SettingName[], flags: Flags, env: Environment) {
  const problems = new Map<SettingName, string>();
  const entries = (Object.entries(settings) as [SettingName, Setting<unknown>][]).map(([name, setting]) => {
    const given = names.includes(name) ? givenValue(setting, flags, env) : undefined;
    try {
      if (given) return [name, readGiven(setting, given.text, flags, env)];
    } catch (error) {
      problems.set(name, `${given?.source} ${(error as Error).message}`);
    }
    return [name, setting.read(setting.fallback)];
  });
  return { config: Object.fromEntries(entries) as Config, problems };
}

/** As `readSettings`, but throws a UsageError that names every setting that is wrong. */
export function readConfig(names: readonly SettingName[], flags: Flags, env: Environment): Config {
  const { config, problems } = readSettings(names, flags, env);
  if (problems.size > 0) throw new UsageError([...problems.values()].join('; '));
  return config;
}

function givenValue({ flag, env: variable }: Setting<unknown>, flags: Flags, env: Environment) {
  const value = flag === undefined ? undefined : flags[flag];
  if (value !== undefined) return { text: String(value), source: `--${flag}` };
  const text = env[variable];
  return text ? { text, source: variable } : undefined;
}

function readGiven<T>(setting: Setting<T>, text: string, flags: Flags, env: Environment): T {
  // Otherwise a script in which a variable is not set would silently switch the setting off.
  if (text === '' && setting.fallback === '')
    throw new Error('must not be empty: give it a value, or leave it out');
  const value = setting.read(text);
  const needed = Object.entries<Setting<unknown>>(settings).find(([name]) => name === setting.needs)?.[1];
  if (needed && !givenValue(needed, flags, env))
    throw new Error(`has no effect without --${needed.flag} (${needed.env}): add that, or leave it out`);
  return value;
}

function setting<T>(row: Setting<T>): Setting<T> {
  return row;
}
