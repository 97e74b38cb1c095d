import type { ServerResponse } from 'node:http';
import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify';
import type { Config } from '../config.ts';
import { limits } from '../contract/limits.ts';
import { BASE_PATH } from '../contract/operation.ts';
import { KeyRing } from '../keys/ring.ts';
import type { Store } from '../store/store.ts';
import { requireKey } from './auth.ts';
import { acceptJson } from './body.ts';
import { answerBroken, checkWellFormed, onClientError } from './broken.ts';
import { Connections } from './connections.ts';
import { announceDeprecation, refuseDeprecated } from './deprecation.ts';
import { prepareDrain } from './drain.ts';
import { answerErrors } from './errors.ts';
import { createLane } from './lane.ts';
import { answerUnmatched } from './methods.ts';
import { orderHandlers } from './orders.ts';
import { petHandlers } from './pets.ts';
import { parseQuery } from './query.ts';
import { requestId } from './request-id.ts';
import { type LogOutput, RequestLog } from './request-log.ts';
import { serveOperations } from './routes.ts';
import { createServer, together } from './server.ts';
import { serveSystem } from './system.ts';
import { requestTarget } from './target.ts';

export interface AppOptions {
  readonly store: Store;
  readonly config: Pick<Config, 'apiKeys' | 'baseUrl' | 'stagingBaseUrl' | 'removeDeprecated'>;
  readonly log: FastifyBaseLogger;
  /** Where `log` writes, too. */
  readonly output: LogOutput;
}

/** The whole service over HTTP, in the order in which a request travels. The caller keeps the store and closes it. */
export function createApp({ store, config, log, output }: AppOptions): FastifyInstance {
  const keys = new KeyRing(store, config.apiKeys, (error) =>
    log.error({ err: error }, 'API keys could not be refreshed'),
  );
  const connections = new Connections();
  const handlers = { ...petHandlers(store), ...orderHandlers(store) };
  const { removeDeprecated } = config;
  const isLast = (response: ServerResponse) => app.draining && connections.isLatest(response);
  const lane = createLane({ handlers, keys, log, output, removeDeprecated, isLast });

  const app: FastifyInstance = fastify({
    serverFactory: (framework) =>
      createServer(
        connections,
        together((request, response) => {
          if (!lane(request, response)) framework(request, response);
        }),
      ),
    loggerInstance: log,
    logController: new RequestLog(output),
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers }) => requestId(headers['x-request-id']),
    rewriteUrl: requestTarget,
    return503OnClosing: false,
    clientErrorHandler: onClientError(log, connections),
    bodyLimit: limits.bodyBytes,
    routerOptions: { maxParamLength: limits.headerBytes, querystringParser: parseQuery },
  });
  app.addHook('onReady', () => keys.start());
  app.addHook('onClose', () => keys.stop());

  answerBroken(app, connections);
  answerErrors(app);
  prepareDrain(app, connections);
  app.decorateRequest('keyId', undefined);
  app.decorateRequest('refusal', undefined);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('onRequest', announceDeprecation);

  app.register(
    async (v1) => {
      v1.addHook('onRequest', requireKey(keys));
      v1.addHook('onRequest', checkWellFormed);
      if (removeDeprecated) v1.addHook('onRequest', refuseDeprecated);
      answerUnmatched(v1);
      acceptJson(v1);
      serveOperations(v1, handlers);
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
