import { isIP, isIPv6 } from 'node:net';
import { BASE_PATH } from './contract/operation.ts';
import { DURATION_RULE, durationMs } from './contract/time.ts';
import { parseDatabaseUrl } from './store/database-url.ts';

// Parsers of the values of settings. The message of an error continues a sentence that begins with the name of the setting.

const MIN_KEY_LENGTH = 24;
const HOST_NAME = /^(?!-)[\w-]+(?:\.[\w-]+)*\.?$/;

/** An IPv6 address may be in brackets, as in a URL. */
export function host(text: string): string {
  const address = text.replace(/^\[(.*)\]$/, '$1');
  if (address !== text ? isIPv6(address) : isIP(text) || HOST_NAME.test(text)) return address;
  throw new Error(
    `must be an address or a host name without port, such as 127.0.0.1 or [::1], not "${text}"`,
  );
}

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65535)
    throw new Error(`must be a port from 0 to 65535, not "${text}"`);
  return Number(text);
}

export function databaseUrl(text: string): string {
  parseDatabaseUrl(text);
  return text;
}

/** Error messages name a bad key by its position, because it may be a secret. */
export function apiKeys(text: string): string[] {
  const keys = listItems(text);
  keys.forEach((key, i) => {
    if (!/^[\x21-\x7e]+$/.test(key))
      throw new Error(`must contain only visible ASCII characters; key ${i + 1} has another`);
    if (key.length < MIN_KEY_LENGTH)
      throw new Error(
        `must contain keys of ${MIN_KEY_LENGTH} characters or more; key ${i + 1} has ${key.length}: replace it, for example with what "openssl rand -hex 24" prints`,
      );
  });
  return keys;
}

export function baseUrl(text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || !hasOnlyPath(url)) {
    throw new Error(`must be an http or https address that ends in ${BASE_PATH}, not "${text}"`);
  }
  return text;
}

function hasOnlyPath({ username, password, pathname, search, hash }: URL): boolean {
  return pathname.endsWith(BASE_PATH) && `${username}${password}${search}${hash}` === '';
}

const RATE_LIMIT = /^([1-9]\d{0,8})\/([1-9]\d{0,4})(s|m|h)$/;
const SECONDS = { s: 1, m: 60, h: 3600 };

export function rateLimit(text: string): { quota: number; seconds: number } | undefined {
  if (text === '') return undefined;
  const [, quota, length, unit] = RATE_LIMIT.exec(text) ?? [];
  if (unit === undefined)
    throw new Error(`must be a number of requests and a time, such as 100/60s or 1000/1h, not "${text}"`);
  return { quota: Number(quota), seconds: Number(length) * SECONDS[unit as keyof typeof SECONDS] };
}

/** Accepts an origin only in the spelling that browsers send: any other would never match. */
export function corsOrigins(text: string): string[] {
  const origins = listItems(text);
  for (const origin of origins) {
    const url = URL.parse(origin);
    if (origin === '*' ? origins.length === 1 : url?.origin === origin && /^https?:$/.test(url.protocol))
      continue;
    throw new Error(
      `must be * alone, or origins such as https://shop.example without a path, separated by commas, not "${origin}"`,
    );
  }
  return origins;
}

const NETWORK = /^([^/]+)(?:\/(\d{1,3}))?$/;

export function trustProxy(text: string): string[] {
  const proxies = listItems(text);
  for (const proxy of proxies) {
    const [, address = '', bits = '0'] = NETWORK.exec(proxy) ?? [];
    const version = address.includes('%') ? 0 : isIP(address);
    if (version === 0 || Number(bits) > (version === 4 ? 32 : 128))
      throw new Error(
        `must be addresses or networks such as 10.0.0.0/8, separated by commas, not "${proxy}"`,
      );
  }
  return proxies;
}

export function duration(text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw new Error(`${DURATION_RULE}, not "${text}"`);
  return ms;
}

/** The longest interval that a timer can wait for is 24.8 days. */
const BACKUP_EVERY_MAX_MS = 20 * 86_400_000;

export function backupEvery(text: string): number {
  const ms = duration(text);
  if (ms > BACKUP_EVERY_MAX_MS) throw new Error(`must be 20d or less, not "${text}"`);
  return ms;
}

export function backupKeep(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`must be a whole number from 1 to 9999, not "${text}"`);
  return Number(text);
}

/** Linux only: other kernels do not share connections among the processes that listen on a port. */
export function reusePort(text: string): boolean {
  const wanted = oneOf({ true: true, false: false })(text);
  if (wanted && process.platform !== 'linux')
    throw new Error(
      `works on Linux only, not on ${process.platform}: run one process, or several behind a proxy`,
    );
  return wanted;
}

/** Accepts one of these words, and returns its meaning. */
export function oneOf<const T>(meanings: Readonly<Record<string, T>>): (text: string) => T {
  return (text) => {
    if (Object.hasOwn(meanings, text)) return meanings[text] as T;
    throw new Error(`must be ${Object.keys(meanings).join(' or ')}, not "${text}"`);
  };
}

const listItems = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
