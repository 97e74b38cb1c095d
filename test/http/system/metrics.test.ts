import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import { eventuallyEqual } from '../../support/eventually.ts';
import { samplesOf, sum } from '../../support/measure/metrics.ts';
import { KEY, type Service, startService, temporaryFolder } from '../../support/service/service.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';
import { exchange } from '../../support/wire/socket.ts';

const COUNT = 'http_server_request_duration_seconds_count';
const scrape = async (service: Service) => (await service.call('GET', '/metrics')).text;

describe('/metrics', () => {
  it('counts requests by method, route and status, with the buckets of OpenTelemetry', async (t) => {
    const service = await startService(t);
    for (const path of ['/v1/pets', '/v1/pets?limit=1', '/v1/pets?limit=0', '/v1/pets/1', '/v1/pets/2'])
      await service.call('GET', path);
    await service.call('DELETE', '/v1/pets');
    const text = await scrape(service);
    const list = 'http_route="/v1/pets"';
    assert.equal(sum(text, COUNT, list, 'http_response_status_code="200"', 'method="GET"'), 2);
    assert.equal(sum(text, COUNT, list, 'http_response_status_code="400"'), 1);
    assert.equal(sum(text, COUNT, list, 'method="DELETE"', 'http_response_status_code="405"'), 1);
    assert.equal(sum(text, COUNT, 'http_route="/v1/pets/{petId}"', 'code="404"'), 2);
    const bounds = [...samplesOf(text).keys()]
      .filter((id) => id.includes(`_bucket{http_request_method="DELETE"`))
      .map((id) => /le="([^"]+)"/.exec(id)?.[1]);
    assert.deepEqual(
      bounds,
      [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, '+Inf'].map(String),
    );
    assert.equal(sum(text, 'http_server_active_requests'), 1, 'the scrape itself');
  });

  it('has label values of ours only, whatever clients send', async (t) => {
    const service = await startService(t);
    for (let n = 0; n < 20; n++) {
      await rawRequest(service.port, `GET /nope-${n}"}`, [AUTHORIZED]);
      await rawRequest(service.port, `GET /v1/pets/canary-${n}`, [AUTHORIZED]);
      await rawRequest(service.port, 'PROPFIND /v1/pets', [AUTHORIZED]);
      await rawRequest(service.port, 'GET /v1/pets', [`Authorization: Bearer canary-${n}`]);
    }
    await rawRequest(service.port, 'QUERY /v1/pets', [AUTHORIZED]);
    const before = samplesOf(await scrape(service)).size;
    await rawRequest(service.port, 'LOCK /v1/pets', [AUTHORIZED]);
    const text = await scrape(service);
    // The second scrape adds only the route of the first.
    assert.equal(samplesOf(text).size, before + 17);
    assert.doesNotMatch(text, /canary|nope|PROPFIND|LOCK|QUERY/);
    assert.ok(!text.includes(KEY));
    assert.equal(sum(text, COUNT, 'method="_OTHER"'), 22);
  });

  it('needs a key, and counts errors by code, refused keys by reason, and what is not HTTP', async (t) => {
    const service = await startService(t);
    for (const key of [null, 'wrong'])
      assertError(await service.call('GET', '/metrics', { key }), 401, 'unauthorized');
    await service.call('GET', '/v1/pets/1');
    await exchange(service.port, 'nonsense\r\n\r\n');
    const { text, headers } = await service.call('GET', '/metrics');
    assert.equal(headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
    const rejected = (reason: string) =>
      sum(text, 'animal_store_rejected_requests_total', `reason="${reason}"`);
    assert.deepEqual(['unauthorized', 'pet_not_found', 'bad_request'].map(rejected), [2, 1, 1]);
    const refused = (reason: string) => sum(text, 'animal_store_key_refusals_total', `reason="${reason}"`);
    assert.deepEqual(['missing', 'unknown'].map(refused), [1, 1]);
  });

  it('tells which key still calls a deprecated operation', async (t) => {
    const other = 'another-key-of-the-suite';
    const service = await startService(t, { config: { apiKeys: [KEY, other] } });
    for (const key of [KEY, KEY, other, null, 'wrong']) await service.call('GET', '/v1/pets/1', { key });
    const samples = [...samplesOf(await scrape(service))].filter(([id]) =>
      id.startsWith('animal_store_deprecated_calls_total{operation="getPet",key_id="env-'),
    );
    assert.deepEqual(samples.map(([, value]) => value).sort(), [1, 2]);
  });

  it('has the animals by status, the size of the database and the commits', async (t) => {
    const service = await startService(t);
    for (let n = 0; n < 3; n++)
      await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } });
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    const text = await scrape(service);
    const animals = (status: string) => sum(text, 'animal_store_animals', `status="${status}"`);
    assert.deepEqual(['available', 'pending', 'sold'].map(animals), [2, 1, 0]);
    assert.ok(sum(text, 'animal_store_database_size_bytes') > 4096);
    assert.equal(sum(text, 'animal_store_commit_duration_seconds_count'), 4);
    assert.equal(sum(text, 'animal_store_commit_batch_size_sum'), 4);
    assert.equal(sum(text, 'animal_store_pending_writes'), 0);
    assert.ok(sum(text, 'animal_store_connections') >= 1);
    assert.ok(sum(text, 'process_resident_memory_bytes') > 1e6);
  });

  it('counts the writes that wait for a locked database', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const service = await startService(t, { database: `sqlite:${file}` });
    const db = new DatabaseSync(file, { timeout: 10_000 });
    db.exec('BEGIN IMMEDIATE');
    const body = { name: 'Rex', categoryId: 7 };
    const writes = Array.from({ length: 5 }, () => service.call('POST', '/v1/pets', { body }));
    const pending = async () => sum(await scrape(service), 'animal_store_pending_writes');
    await eventuallyEqual(pending, 5);
    db.exec('ROLLBACK');
    db.close();
    await Promise.all(writes);
    assert.equal(await pending(), 0);
  });

  it('has the other figures while the store cannot be read', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const service = await startService(t, { database: `sqlite:${file}` });
    const db = new DatabaseSync(file, { timeout: 10_000 });
    db.exec('ALTER TABLE inventory RENAME TO lost');
    db.close();
    const text = await scrape(service);
    assert.doesNotMatch(text, /animal_store_animals/);
    assert.ok(sum(text, 'animal_store_connections') >= 1);
  });
});
