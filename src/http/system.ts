import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { ApiError } from '../contract/errors.ts';
import { openapi, type Server } from '../contract/openapi.ts';
import { BASE_PATH } from '../contract/operation.ts';
import type { Store } from '../store/store.ts';
import { baseAddress } from './address.ts';
import { sendJson } from './json.ts';

const PROBE_MS = 1000;
const HOST = /^[\w.:[\]-]+$/;

/** The pages for machines that look after the service. None needs a key. */
export function serveSystem(
  app: FastifyInstance,
  store: Store,
  config: Pick<Config, 'baseUrl' | 'stagingBaseUrl'>,
): void {
  const document = openapi([]);
  const probe = atMostEvery(PROBE_MS, () => store.ready());

  app.get('/healthz', async (_request, reply) => sendJson(reply, 200, '{"status":"ok"}'));

  app.get('/readyz', async (_request, reply) => {
    if (app.draining) throw new ApiError('unavailable', 'The service is leaving.');
    await probe();
    return sendJson(reply, 200, '{"status":"ready"}');
  });

  app.get('/openapi.json', async (request, reply) =>
    sendJson(reply, 200, JSON.stringify({ ...document, servers: servers(config, servedAt(request)) })),
  );
}

/** As the client calls us, or, to one that does not say, the address that its connection goes to. */
function servedAt({ protocol, host, socket }: FastifyRequest): string {
  if (HOST.test(host)) return `${protocol}://${host}${BASE_PATH}`;
  return baseAddress(socket.localAddress ?? '', socket.localPort ?? 0);
}

/** The configured deployments; without them, the address that is being served. */
export function servers(
  { baseUrl, stagingBaseUrl }: Pick<Config, 'baseUrl' | 'stagingBaseUrl'>,
  served: string,
): Server[] {
  const list: Server[] = [];
  if (baseUrl !== undefined) list.push({ url: baseUrl, description: 'Production' });
  if (stagingBaseUrl !== undefined) list.push({ url: stagingBaseUrl, description: 'Staging' });
  return list.length > 0 ? list : [{ url: served, description: 'This service' }];
}

/** Shares one call among all who ask within `ms`: a probe writes, and anyone may ask for it. */
function atMostEvery(ms: number, call: () => Promise<void>): () => Promise<void> {
  let latest: Promise<void> | undefined;
  let at = Number.NEGATIVE_INFINITY;
  return () => {
    if (latest && performance.now() - at < ms) return latest;
    at = performance.now();
    latest = call();
    return latest;
  };
}
