import type { Socket } from 'node:net';
import type { Config } from '../config.ts';
import { limits, type ServerLimits } from '../contract/limits.ts';
import { KeyVerifier } from '../keys/verifier.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Store } from '../store/store.ts';
import type { Answer } from './answer.ts';
import { EventFeed } from './feed/feed.ts';
import { addOperations } from './operations/add-operations.ts';
import { authenticate, authorize, limitByKey, shedLoad } from './request/admission.ts';
import { readBody } from './request/body.ts';
import { validateCall } from './request/call.ts';
import { clientAddress } from './request/client-address.ts';
import { checkWellFormed, identify } from './request/head.ts';
import type { HttpRequest } from './request/request.ts';
import { Routes } from './request/route.ts';
import { createCors } from './response/cors.ts';
import { ErrorAnswers } from './response/error-answer.ts';
import { createSender } from './response/send.ts';
import type { Exchange } from './server/exchange.ts';
import { HttpServer } from './server/server.ts';
import { addOpenapi, addPages } from './system/documents.ts';
import { addHealth } from './system/health.ts';
import { addMetrics, currentFamilies, expectErrors, storeFamilies } from './system/metrics-endpoint.ts';

export interface AppOptions {
  readonly store: Store;
  readonly config: Pick<
    Config,
    | 'apiKeys'
    | 'baseUrl'
    | 'stagingBaseUrl'
    | 'removeDeprecated'
    | 'pages'
    | 'corsOrigin'
    | 'trustProxy'
    | 'rateLimit'
  >;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Overrides of `limits`. */
  readonly limits?: Partial<ServerLimits>;
}

/** The service over HTTP. It does not listen: it is given connections. The caller owns the store and closes it. */
interface App {
  /** Reads the API keys; to be called before the first connection. */
  start(): Promise<void>;
  /** Takes over a connection that was accepted elsewhere. */
  readonly accept: (socket: Socket) => void;
  /** Answers every request that was accepted, then closes every connection. */
  drain(): Promise<void>;
  /** Closes the remaining connections, and records when keys were last used. */
  close(): Promise<void>;
}

export function createApp(options: AppOptions): App {
  const { store, config, log, metrics } = options;
  const keys = new KeyVerifier(store, config.apiKeys, {
    failed: (error) => log.error({ err: error }, 'the API keys could not be refreshed'),
    clockSkewed: (aheadMs) =>
      log.warn(
        { clockAheadMs: Math.round(aheadMs) },
        'the clocks of the database server and of this machine differ: synchronize them. Keys expire by the clock of the database',
      ),
  });
  expectErrors(metrics);
  const onError = (reason: string) => metrics.requests.rejected(reason);
  const checkLoad = shedLoad(metrics.eventLoop);
  const limitRate = limitByKey(config.rateLimit);
  const errors = new ErrorAnswers(log, onError);
  const addressOf = clientAddress(config.trustProxy);
  const cors = createCors(config.corsOrigin);
  const ownLimits = { ...limits, ...options.limits };
  const server = new HttpServer(serve, log, onError, ownLimits);
  const send = createSender(server, keys, metrics, log);
  const routes = new Routes();
  const feed = new EventFeed(store, ownLimits.connections, (error) =>
    log.error({ err: error }, 'the events could not be read or sent'),
  );
  addOperations(routes, { store, feed, removeDeprecated: config.removeDeprecated });
  addHealth(routes, store, () => server.draining);
  addOpenapi(routes, config);
  addMetrics(routes, metrics);
  metrics.add(() => currentFamilies(server, keys));
  metrics.add(() => storeFamilies(store));
  if (config.pages) addPages(routes, config.stagingBaseUrl);

  /** The stages of every request, in this order. A stage refuses a request by throwing the error to answer with. */
  function answer(request: HttpRequest): Answer | Promise<Answer> {
    checkLoad(request); //                                    503
    const lookUp = authenticate(keys, request); //            401, 503
    return lookUp ? lookUp.then(() => admit(request)) : admit(request);
  }

  function admit(request: HttpRequest): Answer | Promise<Answer> {
    limitRate?.(request); //                                  429
    authorize(request); //                                    403
    checkWellFormed(request); //                              400, 414, 417, 501, 505
    const body = readBody(request); //                        400, 408, 413, 415
    return body instanceof Promise ? body.then((read) => handle(request, read)) : handle(request, body);
  }

  function handle(request: HttpRequest, body: unknown): Answer | Promise<Answer> {
    const call = validateCall(request, body); //              400, every problem at once
    return request.endpoint.handle(call); //                  2xx, 404, 405, 409, 410, 422, 503
  }

  /**
   * Returns whether a stage may still read the body. Promises are slow, and most requests need only a few: a stage that has its result at
   * once returns it without one.
   */
  function serve(exchange: Exchange): boolean {
    metrics.requests.started();
    const request = identify(exchange, routes, addressOf, log.mask); // request id, address, target, endpoint
    const fail = (error: unknown) => send({ exchange, request, answer: errors.answer(error, request) });
    try {
      cors?.(request); // headers of every answer, also of a refusal
      const answered = answer(request);
      if (answered instanceof Promise) {
        answered.then((answer) => send({ exchange, request, answer })).catch(fail);
        return request.endpoint.inputs.body !== undefined;
      }
      send({ exchange, request, answer: answered });
    } catch (error) {
      fail(error);
    }
    return false;
  }

  return {
    start: () => keys.start(),
    accept: (socket) => server.accept(socket),
    drain() {
      feed.drain();
      return server.drain();
    },
    async close() {
      server.close();
      await keys.stop();
    },
  };
}
