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

/** The configured deployments; in place of a production that is not configured, the address that is being served. */
export function servers({ baseUrl, stagingBaseUrl }: Deployments, served: string): Server[] {
  const list: Server[] =
    baseUrl === undefined
      ? [{ url: served, description: 'This service' }]
      : [{ url: baseUrl, description: 'Production' }];
  if (stagingBaseUrl !== undefined) list.push({ url: stagingBaseUrl, description: 'Staging' });
  return list;
}

/** The address a person can open, for a host and port that the service listens on. */
export function baseAddress(host: string, port: number): string {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}${BASE_PATH}`;
}
