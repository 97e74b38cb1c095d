/**
 * Measures the effect of pipelining without reading on the service, compared with no attack:
 * `node test/attacks/measure.ts [SECONDS] [postgres]`. Not a test: the figures depend on the machine.
 */

import {
  createLongNamedPets,
  DIFFERENT_LONG_PAGE,
  DIFFERENT_LONG_SEARCH,
  ESCAPED_NAME,
  LARGE_POSTS,
  LONG_PAGE,
} from '../support/database/long-names.ts';
import { createCluster, createDatabase } from '../support/database/postgres.ts';
import { startAttackedService } from '../support/service/attacked-service.ts';
import { probe, quantile } from '../support/service/health-probes.ts';
import type { Owner } from '../support/service/owner.ts';
import { HOST, request } from '../support/wire/conversation.ts';
import { flood } from '../support/wire/flood.ts';

const SECONDS = Number(process.argv[2] ?? 10);
const CONNECTIONS = 200;
const PAYLOAD_BYTES = 64 * 1024;
/** Stops the measurement at this growth, to protect the machine from a service without limits. */
const GIVE_UP_BYTES = 2_000_000_000;

const DOCUMENT = request('GET /openapi.json', HOST);
const filled = (one: string) => one.repeat(Math.floor(PAYLOAD_BYTES / one.length));

const attacks: readonly { what: string; payload?: string; reads?: boolean }[] = [
  { what: 'no attack' },
  // What it costs the two cores to open so many connections at once, whatever they send.
  {
    what: 'connections that send one small request each',
    payload: request('GET /healthz', HOST),
    reads: true,
  },
  { what: 'no key, 64 KiB each, unread', payload: filled(DOCUMENT) },
  { what: 'no key, 64 KiB each, read', payload: filled(DOCUMENT), reads: true },
  { what: 'no key, 64 KiB of the smallest requests each', payload: filled('GET / HTTP/1.1\r\n\r\n') },
  { what: 'key, 64 KiB each, unread', payload: filled(LONG_PAGE) },
  { what: 'key, 64 KiB each for different pages, unread', payload: filled(DIFFERENT_LONG_PAGE) },
  { what: 'key, 64 KiB each for different searches, unread', payload: filled(DIFFERENT_LONG_SEARCH) },
  {
    what: 'no key, 6 requests each and 10 with a body of 60 kB, unread',
    payload: LARGE_POSTS,
  },
  { what: 'key, 64 KiB each, read', payload: filled(LONG_PAGE), reads: true },
];

const print = (...cells: readonly string[]) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(0);

const atEnd: (() => unknown)[] = [];
const server =
  process.argv[3] === 'postgres'
    ? await createCluster('main', (cleanup) => void atEnd.push(cleanup))
    : undefined;
await server?.start();

async function measure(t: Owner, payload: string | undefined, reads: boolean): Promise<readonly string[]> {
  const service = await startAttackedService(t, server && (await createDatabase(server)));
  await createLongNamedPets(service.port, ESCAPED_NAME);
  for (let n = 0; n < 200; n++) await service.healthMs();
  const before = service.residentBytes();
  const probed = probe(service, before, { forMs: SECONDS * 1000, giveUpBytes: GIVE_UP_BYTES });
  if (payload) await flood(t, { port: service.port, connections: CONNECTIONS, payload, reads });
  const { tookMs, failed, grownBytes } = await probed;
  const failures = failed > 0 ? `, ${failed} of ${tookMs.length} failed` : '';
  return [
    megabytes(before),
    megabytes(grownBytes),
    quantile(tookMs, 0.5).toFixed(1),
    `${quantile(tookMs, 0.99).toFixed(1)}${failures}`,
  ];
}

print(
  `${CONNECTIONS} connections, ${SECONDS} s`,
  'memory before, MB',
  'grown by, MB',
  '/healthz p50, ms',
  'p99, ms',
);
print('---', '---:', '---:', '---:', '---:');
for (const { what, payload, reads = false } of attacks) {
  const cleanups: (() => unknown)[] = [];
  const context = { after: (cleanup: () => unknown) => void cleanups.push(cleanup) };
  try {
    print(what, ...(await measure(context, payload, reads)));
  } finally {
    for (const cleanup of cleanups.reverse()) await cleanup();
  }
}
for (const cleanup of atEnd.reverse()) await cleanup();
