import { BASE_PATH } from '../../contract/operation.ts';

/** The address a person can open, for a host and port we listen on. */
export function baseAddress(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}${BASE_PATH}`;
}
