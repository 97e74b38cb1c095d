import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { type Family, single } from '../metrics/family.ts';
import { type Listener, listen } from './listen.ts';
import type { ProcessLog } from './log-output.ts';

/** Serves `/metrics` without a key on `--metrics-port`; undefined if there is none. */
export async function serveMetrics(
  { host, metricsPort }: Pick<Config, 'host' | 'metricsPort'>,
  scrape: () => Promise<string>,
  log: Log,
): Promise<Listener | undefined> {
  if (metricsPort === undefined) return undefined;
  // Loaded on demand: a primary without such a port serves no requests.
  const { createMetricsApp } = await import('../http/metrics-app.ts');
  const app = createMetricsApp(scrape, log);
  const setting = 'metricsPort';
  const listener = await listen({ host, port: metricsPort, setting }, (socket) => app.accept(socket));
  return {
    port: listener.port,
    async close() {
      await listener.close();
      app.close();
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
