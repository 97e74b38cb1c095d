import { readFileSync } from 'node:fs';
import { type ConnectionOptions, checkServerIdentity, type PeerCertificate } from 'node:tls';

const FILES = { ca: 'sslrootcert', cert: 'sslcert', key: 'sslkey' } as const;

/**
 * The TLS parameters of PostgreSQL's own URLs as Node wants them. postgres.js knows `sslmode` alone: it would hand the
 * certificate files to the server as settings, and hold the certificate of a server given by address to the name localhost.
 */
export function withTls(url: string): { address: string; ssl?: ConnectionOptions } {
  const [base = '', query = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(query);
  const mode = parameters.get('sslmode');
  const ssl: ConnectionOptions = {};
  for (const [option, name] of Object.entries(FILES)) {
    const path = parameters.get(name);
    parameters.delete(name);
    if (path !== null && path !== 'system') ssl[option as keyof typeof FILES] = readFileSync(path, 'utf8');
  }
  const verify =
    mode === 'verify-ca' || mode === 'verify-full' || (mode === 'require' && ssl.ca !== undefined);
  if (!verify && Object.keys(ssl).length === 0) return { address: url };
  parameters.delete('sslmode');
  ssl.rejectUnauthorized = verify;
  ssl.checkServerIdentity = mode === 'verify-full' ? identityOf(hostsOf(base)) : () => undefined;
  return { address: `${base}?${parameters}`, ssl };
}

function identityOf(hosts: readonly string[]) {
  return (name: string, certificate: PeerCertificate): Error | undefined => {
    const errors = (hosts.includes(name) ? [name] : hosts).map((host) =>
      checkServerIdentity(host, certificate),
    );
    return errors.includes(undefined) ? undefined : errors[0];
  };
}

function hostsOf(base: string): string[] {
  const authority = base.replace(/^\w+:\/\//, '').split('/', 1)[0] ?? '';
  return (authority.split('@').at(-1) ?? '').split(',').map((host) => host.replace(/:\d+$/, ''));
}
