import { setTimeout as sleep } from 'node:timers/promises';
import { errors, keyRefusals } from '../../contract/errors.ts';
import { OVERLOADED } from '../../contract/transport-errors.ts';
import type { KeyVerifier } from '../../keys/verifier.ts';
import { CONTENT_TYPE, counter, type Family, gauge, label, render } from '../../metrics/family.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Store } from '../../store/store.ts';
import type { Routes } from '../request/route.ts';
import type { HttpServer } from '../server/server.ts';

/** A store that does not answer must not hide the other metrics. */
const STORE_MS = 1000;

/** `/metrics` in the text format of Prometheus. It needs a key: it shows who calls what. */
export function addMetrics(routes: Routes, metrics: Metrics): void {
  const headers = ['content-type', CONTENT_TYPE, 'cache-control', 'no-store'];
  routes.add('GET', '/metrics', {
    inputs: {},
    access: 'metrics:read',
    handle: async () => ({ status: 200, headers, body: render(await metrics.snapshot()) }),
  });
}

/** Lets every counter of errors begin at 0. */
export const expectErrors = ({ requests }: Metrics): void =>
  requests.expect([...Object.keys(errors), OVERLOADED.reason], keyRefusals);

/** What the transport and the keys are doing right now. */
export const currentFamilies = (
  { connections, streams }: HttpServer,
  { clockAheadMs }: KeyVerifier,
): Family[] => [
  gauge('animal_store_connections', 'Open client connections.', connections.size),
  gauge('animal_store_event_streams', 'Open streams of events.', streams.size),
  counter(
    'animal_store_refused_connections_total',
    'Connections that were closed because there was no room for them.',
    connections.refused,
  ),
  gauge(
    'animal_store_clock_ahead_seconds',
    'How much the clock of the database server is ahead of the one of this machine.',
    clockAheadMs / 1000,
  ),
];

/** What the store contains; nothing while it cannot be read. */
export async function storeFamilies(store: Store): Promise<Family[]> {
  const late = sleep(STORE_MS, undefined, { ref: false });
  const read = Promise.all([store.countPets(), store.size()]);
  const found = await Promise.race([read, late]).catch(() => undefined);
  if (!found) return [];
  const [counts, bytes] = found;
  const animals = Object.entries(counts).map(([status, count]) => ({
    labels: label('status', status),
    value: Number(count),
  }));
  return [
    gauge('animal_store_animals', 'Animals by status.', animals),
    gauge('animal_store_database_size_bytes', 'Size of the database.', bytes),
  ];
}
