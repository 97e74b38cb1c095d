import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify';
import type { Config } from '../config.ts';
import { limits } from '../contract/limits.ts';
import { BASE_PATH } from '../contract/operation.ts';
import { KeyRing } from '../keys/ring.ts';
import type { Store } from '../store/store.ts';
import { requireKey } from './auth.ts';
import { acceptJson } from './body.ts';
import { answerBroken, checkWellFormed, onClientError } from './broken.ts';
import { announceDeprecation, refuseDeprecated } from './deprecation.ts';
import { prepareDrain } from './drain.ts';
import { answerErrors } from './errors.ts';
import { answerUnmatched } from './methods.ts';
import { serveOrders } from './orders.ts';
import { servePets } from './pets.ts';
import { requestId } from './request-id.ts';
import { RequestLog } from './request-log.ts';
import { serveSystem } from './system.ts';
import { requestTarget } from './target.ts';

export interface AppOptions {
  readonly store: Store;
  readonly config: Pick<Config, 'apiKeys' | 'baseUrl' | 'stagingBaseUrl' | 'removeDeprecated'>;
  readonly log: FastifyBaseLogger;
}

const MAX_CONNECTIONS = 10_000;

/** The whole service over HTTP, in the order in which a request travels. The caller keeps the store and closes it. */
export function createApp({ store, config, log }: AppOptions): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new RequestLog(),
    genReqId: requestId,
    rewriteUrl: requestTarget,
    return503OnClosing: false,
    clientErrorHandler: onClientError,
    bodyLimit: limits.bodyBytes,
    routerOptions: { maxParamLength: limits.headerBytes },
    requestTimeout: limits.requestMs,
    connectionTimeout: 35_000,
    keepAliveTimeout: 65_000,
    http: {
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: 1000,
      maxHeaderSize: limits.headerBytes,
      requireHostHeader: false,
    },
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  const keys = new KeyRing(store, config.apiKeys, (error) =>
    log.error({ err: error }, 'API keys could not be refreshed'),
  );
  app.addHook('onReady', () => keys.start());
  app.addHook('onClose', () => keys.stop());

  answerBroken(app);
  answerErrors(app);
  prepareDrain(app);
  app.decorateRequest('keyId', undefined);
  app.decorateRequest('refusal', undefined);
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id));
  app.addHook('onRequest', announceDeprecation);

  app.register(
    async (v1) => {
      v1.addHook('onRequest', requireKey(keys));
      v1.addHook('onRequest', checkWellFormed);
      if (config.removeDeprecated) v1.addHook('onRequest', refuseDeprecated);
      answerUnmatched(v1);
      acceptJson(v1);
      servePets(v1, store);
      serveOrders(v1, store);
    },
    { prefix: BASE_PATH },
  );

  app.register(async (system) => {
    system.addHook('onRequest', checkWellFormed);
    answerUnmatched(system);
    serveSystem(system, store, config);
  });

  return app;
}
