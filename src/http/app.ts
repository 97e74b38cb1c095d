import type { Socket } from 'node:net';
import { batchPerTick } from '../batch-per-tick.ts';
import type { Config } from '../config.ts';
import { KeyRing } from '../keys/ring.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Store } from '../store/store.ts';
import { addOperations } from './operations/operations.ts';
import { authenticate } from './request/authenticate.ts';
import { readBody } from './request/body.ts';
import { clientAddress } from './request/client-address.ts';
import { identify } from './request/identify.ts';
import { shedLoad } from './request/load-shedding.ts';
import { limitByKey, limitFailedAuthentication } from './request/rate-limit.ts';
import type { Endpoint, HttpRequest } from './request/request.ts';
import { Routes, route } from './request/route.ts';
import { validateCall } from './request/validate.ts';
import { checkWellFormed } from './request/well-formed.ts';
import { logRequest } from './response/access-log.ts';
import { type Answer, LARGE_BODY } from './response/answer.ts';
import { createCors } from './response/cors.ts';
import { ErrorAnswers } from './response/error-answer.ts';
import type { Exchange } from './server/exchange.ts';
import { HttpServer } from './server/server.ts';
import { addHealth } from './system/health.ts';
import {
  addMetrics,
  connectionsFamily,
  countRequest,
  type Scrape,
  scrapeOf,
  storeFamilies,
} from './system/metrics.ts';
import { addOpenapi } from './system/openapi.ts';
import { addPages } from './system/pages.ts';

const MAX_CONNECTIONS = 10_000;
/** No further large answer is sent in a tick after this many bytes. */
const LARGE_BYTES_PER_TICK = 4 * 1024 * 1024;

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
  /** Of this process. */
  readonly metrics: Metrics;
  /** Those of all processes of the service as text; unless given, of this one. */
  readonly scrape?: Scrape;
}

/** The service over HTTP. It does not listen: it is given connections. The caller owns the store and closes it. */
export interface App {
  /** Reads the API keys; to be called before the first connection. */
  start(): Promise<void>;
  /** Takes over a connection that was accepted elsewhere. */
  accept(socket: Socket): void;
  /** How many connections are open. */
  readonly connections: number;
  /** Answers every request that was accepted, then closes every connection. */
  drain(): Promise<void>;
  /** Cuts off what is left, and records when keys were last used. */
  close(): Promise<void>;
}

interface Finished {
  readonly exchange: Exchange;
  readonly request: HttpRequest;
  readonly answer: Answer;
}

export function createApp(options: AppOptions): App {
  const { store, config, log, metrics, scrape = scrapeOf(metrics) } = options;
  const keys = new KeyRing(store, config.apiKeys, (error) =>
    log.error({ err: error }, 'the API keys could not be refreshed'),
  );
  const onError = (reason: string) => metrics.requests.rejected(reason);
  const checkLoad = shedLoad();
  const limitFailures = limitFailedAuthentication();
  const limitRate = limitByKey(config.rateLimit);
  const errors = new ErrorAnswers(log, onError);
  const addressOf = clientAddress(config.trustProxy);
  const cors = createCors(config.corsOrigin);
  const server = new HttpServer(serve, log, onError, MAX_CONNECTIONS);
  const routes = new Routes();
  addOperations(routes, store);
  addHealth(routes, store, () => server.draining);
  addOpenapi(routes, config);
  addMetrics(routes, scrape);
  metrics.add(() => [connectionsFamily(server.connections.size)]);
  metrics.add(() => storeFamilies(store));
  if (config.pages) addPages(routes);

  /** The stages of every request, in this order. A stage refuses a request by throwing the error to answer with. */
  function answer(request: HttpRequest): Answer | Promise<Answer> {
    checkLoad(request); //                                       503
    authenticate(keys, limitFailures, request); //               401, 429
    limitRate?.(request); //                                     429
    checkWellFormed(request); //                                 400, 414
    const endpoint = route(request, config.removeDeprecated); // 404, 405, 410
    const body = readBody(endpoint, request); //                 400, 408, 413, 415
    return body instanceof Promise
      ? body.then((read) => handle(endpoint, request, read))
      : handle(endpoint, request, body);
  }

  function handle(endpoint: Endpoint, request: HttpRequest, body: unknown): Answer | Promise<Answer> {
    const call = validateCall(endpoint, request, body); // 400, every problem at once
    return endpoint.handle(call); //                       2xx, 404, 409, 422, 503
  }

  /** Nothing waits that does not have to: promises are slow, and most requests need few of them. */
  function serve(exchange: Exchange): void {
    metrics.requests.started();
    const request = identify(exchange, routes, addressOf); // request id, address, target, endpoint
    const fail = (error: unknown) => send({ exchange, request, answer: errors.answer(error, request) });
    try {
      cors?.(request); // headers of every answer, also of a refusal
      const answered = answer(request);
      if (answered instanceof Promise)
        answered.then((answer) => send({ exchange, request, answer })).catch(fail);
      else send({ exchange, request, answer: answered });
    } catch (error) {
      fail(error);
    }
  }

  function guard(exchange: Exchange, { id }: HttpRequest, send: () => void): void {
    try {
      send();
    } catch (error) {
      log.error({ requestId: id, err: error }, 'an answer could not be sent');
      exchange.response.destroy();
    }
  }

  /** All heads first: the closer the writes follow one another, the fewer times the clients are woken up. */
  function sendAll(batch: readonly Finished[]): void {
    for (const { exchange, request, answer } of batch)
      guard(exchange, request, () => server.sendHead(exchange, answer, request.answerHeaders));
    for (const { exchange, request, answer } of batch)
      guard(exchange, request, () => server.sendBody(exchange, answer));
    const now = performance.now();
    for (const { exchange, request, answer } of batch) {
      const ms = now - exchange.receivedAt;
      countRequest(metrics, request, answer.status, ms);
      logRequest(log, request, answer.status, ms);
    }
  }
  /** Answers that are ready in the same tick leave together, and are logged after the last of them. */
  const sendSmall = batchPerTick(sendAll);
  /** Large ones leave a few per tick, so that they never hold up the others. */
  const sendLarge = batchPerTick<Finished>(
    (batch, postpone) => {
      let [count, bytes] = [0, 0];
      for (const { answer } of batch) {
        if (bytes >= LARGE_BYTES_PER_TICK) break;
        bytes += answer.body.length;
        count++;
      }
      postpone(batch.slice(count));
      sendAll(batch.slice(0, count));
    },
    { schedule: setImmediate },
  );
  const send = (finished: Finished) =>
    finished.answer.body.length < LARGE_BODY ? sendSmall(finished) : sendLarge(finished);

  return {
    start: () => keys.start(),
    accept: (socket) => server.accept(socket),
    get connections() {
      return server.connections.size;
    },
    drain: () => server.drain(),
    async close() {
      server.close();
      await keys.stop();
    },
  };
}
