import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { isLoopback, type Listener, listen } from './listen.ts';

/** Serves `/metrics` without a key on `--metrics-port`; undefined if there is none. */
export async function serveMetrics(
  { host, metricsPort }: Pick<Config, 'host' | 'metricsPort'>,
  scrape: () => Promise<string>,
  log: Log,
  connections: number,
): Promise<Listener | undefined> {
  if (metricsPort === undefined) return undefined;
  // Loaded on demand: a primary without such a port serves no requests.
  const { createMetricsApp } = await import('../http/metrics-app.ts');
  const app = createMetricsApp(scrape, log, connections);
  const setting = 'metricsPort';
  const listener = await listen({ host, port: metricsPort, setting }, app.accept);
  const { port } = listener;
  if (!isLoopback(host))
    log.warn(
      { host, port },
      '/metrics needs no key on this port, which other machines can reach: keep it private',
    );
  return {
    port,
    async close() {
      await listener.close();
      app.close();
    },
  };
}
