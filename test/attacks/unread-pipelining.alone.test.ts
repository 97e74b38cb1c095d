import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createLongNamedPets,
  DIFFERENT_LONG_PAGE,
  ESCAPED_NAME,
  LARGE_POSTS,
  LONG_PAGE,
} from '../support/database/long-names.ts';
import {
  type AttackedService,
  assertUnharmed,
  startAttackedService,
} from '../support/service/attacked-service.ts';
import { probe, quantile } from '../support/service/health-probes.ts';
import { AUTH, HOST, request } from '../support/wire/conversation.ts';
import { flood } from '../support/wire/flood.ts';

const MB = 1_000_000;
const CONNECTIONS = 200;
const PAYLOAD_BYTES = 64 * 1024;
const MOST_GROWTH = 100 * MB;
/** Beyond this growth the attack has succeeded, and the test stops to protect the machine. */
const GIVE_UP_GROWTH = 1000 * MB;
/**
 * How much longer /healthz may take than that of a second service on the same machine, which is not attacked. Without the limits
 * most probes take more than ten seconds, and many fail.
 */
const MOST_DELAY = 50;
const OBSERVED_MS = 3000;

const DOCUMENT = request('GET /openapi.json', HOST);
/** Larger than one read of the socket, so that it is answered before it has arrived. */
const REFUSED = request('POST /v1/pets', `${HOST}Content-Length: 200000\r\n`, ' '.repeat(200_000));
const filled = (one: string) => one.repeat(Math.floor(PAYLOAD_BYTES / one.length));

interface Attack {
  readonly what: string;
  readonly one: string;
  readonly payload: (one: string) => string;
  readonly connections?: number;
  readonly reads?: boolean;
  /** Of the animals. */
  readonly name?: string;
  readonly mostGrowth?: number;
  readonly mostDelay?: number;
}

const attacks: readonly Attack[] = [
  { what: '64 KiB of GET /openapi.json without a key, nothing read', one: DOCUMENT, payload: filled },
  { what: '64 KiB of listPets with a key and long names, nothing read', one: LONG_PAGE, payload: filled },
  { what: '64 KiB of the smallest possible requests', one: 'GET / HTTP/1.1\r\n\r\n', payload: filled },
  {
    what: 'a packet of chunks of one byte without a key',
    one: request('POST /v1/pets', `${HOST}Transfer-Encoding: chunked\r\n`, '1\r\na\r\n'.repeat(2500)),
    payload: (one) => one,
    connections: 1000,
  },
  {
    what: 'a body in chunks of one byte with a key',
    one: request(
      'POST /v1/pets',
      `${HOST}${AUTH}Transfer-Encoding: chunked\r\n`,
      '1\r\na\r\n'.repeat(60_000),
    ),
    payload: (one) => one,
    connections: 20,
    mostDelay: 300,
  },
  {
    what: 'requests with large bodies without a key, nothing read',
    one: LARGE_POSTS,
    payload: (one) => one,
    connections: 500,
    mostGrowth: 220 * MB,
    mostDelay: 300,
  },
  {
    what: 'the smallest possible requests after a body that was refused before it had arrived',
    one: 'GET / HTTP/1.1\r\n\r\n',
    payload: (one) => REFUSED + filled(one).repeat(4),
  },
  {
    what: '64 KiB of listPets, a different one of the largest pages each time, nothing read',
    one: DIFFERENT_LONG_PAGE,
    payload: filled,
    name: ESCAPED_NAME,
    // Pages that have been sent stay in memory until V8 has collected 64 MB of them.
    mostGrowth: 150 * MB,
  },
  { what: '64 KiB of GET /openapi.json, read', one: DOCUMENT, payload: filled, connections: 30, reads: true },
  {
    what: '64 KiB of listPets with long names, read',
    one: LONG_PAGE,
    payload: filled,
    connections: 30,
    reads: true,
  },
];

/** A service that has served each kind of request once, so that only the attack makes it grow. */
async function warm(t: TestContext, name?: string): Promise<AttackedService> {
  const service = await startAttackedService(t);
  await createLongNamedPets(service.port, name);
  const { child } = await flood(t, {
    port: service.port,
    connections: 5,
    payload: (DOCUMENT + LONG_PAGE).repeat(10),
    reads: true,
  });
  for (const end = Date.now() + 1000; Date.now() < end; await sleep(20)) await service.healthMs();
  child.kill('SIGKILL');
  return service;
}

const bystander = await startAttackedService({ after });

describe('clients that send requests faster than they read responses', { timeout: 400_000 }, () => {
  for (const attack of attacks) {
    const { what, one, payload, connections = CONNECTIONS, reads = false } = attack;
    const { mostGrowth = MOST_GROWTH, mostDelay = MOST_DELAY } = attack;
    it(`neither fill the memory nor delay other clients: ${connections} x ${what}`, async (t) => {
      const service = await warm(t, attack.name);
      const before = service.residentBytes();
      const options = { forMs: OBSERVED_MS, giveUpBytes: GIVE_UP_GROWTH };
      const probed = probe(service, before, options);
      const probedBystander = probe(bystander, bystander.residentBytes(), options);
      await flood(t, { port: service.port, connections, payload: payload(one), reads });
      const { grownBytes, tookMs, failed } = await probed;
      const delay = quantile(tookMs, 0.5) / quantile((await probedBystander).tookMs, 0.5);
      t.diagnostic(
        `memory grew by ${Math.round(grownBytes / MB)} MB; /healthz took ${Math.round(delay)} times as long, ${failed} failed`,
      );
      assert.equal(failed, 0, 'of /healthz');
      assert.ok(grownBytes <= mostGrowth, `${Math.round(grownBytes / MB)} MB`);
      assert.ok(delay <= mostDelay, `${delay} times`);
      await assertUnharmed(service);
    });
  }
});
