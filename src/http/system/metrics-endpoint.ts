import { errors, type KeyRefusal } from '../../contract/errors.ts';
import { CONTENT_TYPE, type Family, label, render, single } from '../../metrics/family.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import type { Store } from '../../store/store.ts';
import { OVERLOADED } from '../request/load-shedding.ts';
import type { Routes } from '../request/route.ts';

/** A store that does not answer must not keep the other figures from being seen. */
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

const refusals: readonly KeyRefusal['refused'][] = [
  ...(['missing', 'malformed', 'mistyped'] as const),
  ...(['unknown', 'revoked', 'expired'] as const),
];

/** Lets every counter of errors begin at 0. */
export const expectErrors = ({ requests }: Metrics): void =>
  requests.expect([...Object.keys(errors), OVERLOADED.reason], refusals);

export const connectionsFamily = (connections: number): Family =>
  single({ name: 'animal_store_connections', help: 'Open client connections.', type: 'gauge' }, connections);

export const streamsFamily = (streams: number): Family =>
  single({ name: 'animal_store_event_streams', help: 'Open streams of events.', type: 'gauge' }, streams);

export const clockFamily = (aheadMs: number): Family =>
  single(
    {
      name: 'animal_store_clock_ahead_seconds',
      help: 'How much the clock of the database server is ahead of the one of this machine.',
      type: 'gauge',
    },
    aheadMs / 1000,
  );

/** What the store contains; nothing while it cannot be read. */
export async function storeFamilies(store: Store): Promise<Family[]> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error('the store does not respond')), STORE_MS);
  try {
    const [counts, bytes] = await Promise.race([Promise.all([store.countPets(), store.size()]), late]);
    return [
      {
        name: 'animal_store_animals',
        help: 'Animals by status.',
        type: 'gauge',
        samples: Object.entries(counts).map(([status, count]) => ({
          labels: label('status', status),
          value: Number(count),
        })),
      },
      single(
        {
          name: 'animal_store_database_size_bytes',
          help: 'Size of the database.',
          type: 'gauge',
        },
        bytes,
      ),
    ];
  } catch {
    return [];
  } finally {
    clearTimeout(timer);
  }
}
