import { ApiError } from '../contract/errors.ts';
import type { Log } from '../log.ts';
import type { Answer } from './answer.ts';
import type { App } from './app.ts';
import { clientAddress } from './request/client-address.ts';
import { checkWellFormed, identify } from './request/head.ts';
import type { HttpRequest } from './request/request.ts';
import { Routes } from './request/route.ts';
import { validateCall } from './request/validate.ts';
import { ErrorAnswers } from './response/error-answer.ts';
import type { Exchange } from './server/exchange.ts';
import { serverLimits } from './server/limits.ts';
import { HttpServer } from './server/server.ts';
import { addMetrics, type Scrape } from './system/metrics.ts';

type MetricsApp = Pick<App, 'accept'> & { close(): void };

/** `/metrics` without a key, for a port of its own: the same transport, and the same bounds, as the service itself. */
export function createMetricsApp(scrape: Scrape, log: Log, connections: number): MetricsApp {
  const routes = new Routes();
  addMetrics(routes, scrape);
  const addressOf = clientAddress([]);
  const ignore = () => {};
  const errors = new ErrorAnswers(log, ignore);
  const server = new HttpServer(start, log, ignore, { ...serverLimits, connections });

  async function answer(request: HttpRequest): Promise<Answer> {
    checkWellFormed(request);
    const { endpoint } = request;
    if (!endpoint) throw new ApiError('not_found', 'Only GET /metrics is served on this port.');
    return endpoint.handle(validateCall(endpoint, request, undefined));
  }

  async function serve(exchange: Exchange): Promise<void> {
    const request = identify(exchange, routes, addressOf, log.mask);
    const answered = await answer(request).catch((error) => errors.answer(error, request));
    server.sendHead(exchange, answered, request.answerHeaders);
    server.sendBody(exchange, answered);
  }

  function start(exchange: Exchange): void {
    serve(exchange).catch((error) => {
      log.error({ err: error }, 'the metrics could not be sent');
      exchange.response.destroy();
    });
  }

  return { accept: (socket) => server.accept(socket), close: () => server.close() };
}
