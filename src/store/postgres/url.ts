import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type ConnectionOptions, createSecureContext } from 'node:tls';
import { getSystemErrorMessage } from 'node:util';
import { cannotUse, ENCODED } from './errors.ts';

const URL_PARTS = /^postgres(?:ql)?:\/\/(?:(.*)@)?([^@/]*)(?:\/(.*))?$/s;
const HOST = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/;
const SSL_MODES = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
const TARGETS = ['any', 'read-write', 'primary'];
/** Only a pooler that keeps a server for as long as the client is connected can be used. */
const POOL_MODES = ['session'];
/** Parameters of PostgreSQL URLs that are accepted and ignored. */
const IGNORED =
  /^(?:application_name|channel_binding|connect_timeout|gssencmode|keepalives|sslcompression|sslsni)$/;

export interface Host {
  readonly host: string;
  readonly port: number;
}

export interface Address {
  readonly hosts: readonly Host[];
  /** These three are empty if the URL does not say them. */
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl: ConnectionOptions | false;
  /** Whether to connect without TLS to a server that does not accept it. */
  readonly prefersTls: boolean;
  /** Whether to skip a primary that does not accept writes. A standby is never used. */
  readonly writable: boolean;
  /** Whether a pooler in session mode is between this program and the server. */
  readonly sessionPooler: boolean;
}

/**
 * Parses a postgres:// URL, with several hosts and TLS parameters as in libpq. pg parses such URLs too, but knows neither several hosts nor
 * `sslmode=prefer`, and ignores unknown parameters.
 */
export function parseUrl(url: string): Address {
  try {
    return addressOf(url);
  } catch (error) {
    throw cannotUse(url, error);
  }
}

function addressOf(url: string): Address {
  const [base = '', query = ''] = url.split(/\?(.*)/s, 2);
  const [, credentials = '', authority = '', database = ''] = URL_PARTS.exec(base) ?? [];
  const hosts = authority.split(',').map(hostOf);
  const [user = '', password = ''] = credentials.split(/:(.*)/s, 2).map(decode);
  const parameters = new Map(new URLSearchParams(query));
  const take = (name: string): string | undefined => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value;
  };
  const target = oneOf(TARGETS, 'target_session_attrs', take('target_session_attrs') ?? 'any');
  const poolMode = oneOf(POOL_MODES, 'pool_mode', take('pool_mode') ?? '');
  const tls = tlsOf(take);
  for (const name of parameters.keys()) {
    if (IGNORED.test(name)) continue;
    // A password with a ? ends there, and what follows is not printed.
    if (query.includes('@') || !/^\w+$/.test(name)) throw new Error(`a parameter is not known; ${ENCODED}`);
    throw new Error(`the parameter ${name} is not known`);
  }
  return {
    hosts,
    user,
    password,
    database: decode(database),
    ...tls,
    writable: target !== 'any' || hosts.length > 1,
    sessionPooler: poolMode !== '',
  };
}

function hostOf(text: string): Host {
  const [, v6, name, port = '5432'] = HOST.exec(text) ?? [];
  const host = v6 ?? name;
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535)
    throw new Error(
      `its URL must name hosts as postgres://user:password@host:port,host:port/database; ${ENCODED}`,
    );
  return { host, port: Number(port) };
}

function tlsOf(take: (name: string) => string | undefined): Pick<Address, 'ssl' | 'prefersTls'> {
  const given = oneOf(SSL_MODES, 'sslmode', take('sslmode') ?? '');
  const root = take('sslrootcert');
  const mode = given || (root === 'system' ? 'verify-full' : 'prefer');
  const ca = root === 'system' ? undefined : pemIn(root, 'sslrootcert', CERTIFICATE);
  const cert = pemIn(take('sslcert'), 'sslcert', CERTIFICATE);
  const key = pemIn(take('sslkey'), 'sslkey', PRIVATE_KEY);
  if (!cert !== !key) throw new Error('sslcert and sslkey must be given together');
  if (cert && key && !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    throw new Error(
      'the key in the file of sslkey does not belong to the certificate in the file of sslcert',
    );
  if (mode === 'disable') return { ssl: false, prefersTls: false };
  const prefersTls = (mode === 'allow' || mode === 'prefer') && !ca && !cert;
  const ssl: ConnectionOptions = { ca, cert, key };
  createSecureContext(ssl);
  ssl.rejectUnauthorized = mode.startsWith('verify') || (mode === 'require' && ca !== undefined);
  if (mode !== 'verify-full') ssl.checkServerIdentity = () => undefined;
  return { ssl, prefersTls };
}

const CERTIFICATE = { what: 'certificate', parse: (pem: string) => new X509Certificate(pem) };
const PRIVATE_KEY = { what: 'private key without a passphrase', parse: createPrivateKey };

/** The content of a file that a parameter names. Node ignores a file of authorities without a certificate. */
function pemIn(
  path: string | undefined,
  name: string,
  { what, parse }: { what: string; parse: (pem: string) => unknown },
) {
  if (path === undefined) return undefined;
  try {
    const pem = readFileSync(path, 'utf8');
    parse(pem);
    return pem;
  } catch (error) {
    const { errno } = error as NodeJS.ErrnoException;
    const reason = errno === undefined ? `it contains no ${what} in PEM` : getSystemErrorMessage(errno);
    throw new Error(`${name} names ${path}: ${reason}`);
  }
}

function oneOf(known: readonly string[], name: string, value: string): string {
  if (value !== '' && !known.includes(value))
    throw new Error(`${name} must be one of ${known.join(', ')}, not ${value}`);
  return value;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
