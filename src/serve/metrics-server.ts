import type { Config } from '../config.ts';
import { ApiError, errorJson } from '../contract/errors.ts';
import { createServer } from '../http/server/node-http.ts';
import { CONTENT_TYPE, type Family, single } from '../metrics/family.ts';
import { type Listener, listen } from './listen.ts';
import type { ProcessLog } from './log-output.ts';

/** Prometheus needs one. */
const MAX_CONNECTIONS = 100;

/** Serves `/metrics` without a key on `--metrics-port`; undefined if there is none. */
export async function serveMetrics(
  { host, metricsPort }: Pick<Config, 'host' | 'metricsPort'>,
  scrape: () => Promise<string>,
): Promise<Listener | undefined> {
  if (metricsPort === undefined) return undefined;
  const server = createServer((request, response) => {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': type }).end(body);
    const refuse = (error: ApiError) => send(error.status, 'application/json', errorJson(error));
    const [path] = (request.url ?? '').split('?');
    if (path !== '/metrics' || !/^(?:GET|HEAD)$/.test(request.method ?? ''))
      refuse(new ApiError('not_found', 'Only GET /metrics is served on this port.'));
    else
      scrape().then(
        (text) => send(200, CONTENT_TYPE, text),
        () => refuse(new ApiError('unavailable', 'The metrics cannot be collected at the moment.')),
      );
  });
  let connections = 0;
  const listener = await listen({ host, port: metricsPort }, (socket) => {
    if (connections >= MAX_CONNECTIONS) socket.destroy();
    else {
      connections++;
      socket.once('close', () => connections--);
      server.emit('connection', socket);
    }
  });
  return {
    port: listener.port,
    async close() {
      await listener.close();
      server.closeAllConnections();
    },
  };
}

export const droppedLines = ({ output }: ProcessLog): Family =>
  single(
    {
      name: 'animal_store_log_lines_dropped_total',
      help: 'Log lines that were dropped because they could not be written in time.',
      type: 'counter',
    },
    output.dropped,
  );
