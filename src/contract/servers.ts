import { BASE_PATH } from './operation.ts';

/** An entry of the OpenAPI document's `servers`. */
export interface Server {
  readonly url: string;
  readonly description: string;
}

/** The public addresses of the two deployments, as far as they are configured. */
export interface Deployments {
  readonly baseUrl: string | undefined;
  readonly stagingBaseUrl: string | undefined;
}

/** The configured deployments; without them, the address that is being served. */
export function servers({ baseUrl, stagingBaseUrl }: Deployments, served: string): Server[] {
  const list: Server[] = [];
  if (baseUrl !== undefined) list.push({ url: baseUrl, description: 'Production' });
  if (stagingBaseUrl !== undefined) list.push({ url: stagingBaseUrl, description: 'Staging' });
  return list.length > 0 ? list : [{ url: served, description: 'This service' }];
}

/** The address a person can open, for a host and port that the service listens on. */
export function baseAddress(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}${BASE_PATH}`;
}
