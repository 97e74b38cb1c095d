import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it, type TestContext } from 'node:test';
import { type ErrorCode, errors } from '../src/contract/errors.ts';
import { eventId } from '../src/contract/event-id.ts';
import { eventually } from './support/eventually.ts';
import { KEY, type Service, startService, temporaryFolder } from './support/service/service.ts';
import { storeKey } from './support/service/stored-key.ts';
import { exchange, parseAnswer } from './support/wire/socket.ts';

const pet = { name: 'Rex', categoryId: 7 };

type Provoke = (service: Service, file: string) => Promise<string>;

const send = (method: string, path: string, options = {}): Provoke => {
  return async (service) => (await service.call(method, path, options)).text;
};
const sendBytes = (bytes: string): Provoke => {
  return async ({ port }) => parseAnswer(await exchange(port, bytes)).body;
};
const headers = `Host: a\r\nConnection: close\r\nAuthorization: Bearer ${KEY}\r\n`;

/** For each code, a request that gets it from the running service. */
const requestsByCode: Record<ErrorCode, Provoke> = {
  invalid_request: send('POST', '/v1/pets', { body: {} }),
  invalid_parameter: send('GET', '/v1/pets?limit=0'),
  bad_request: sendBytes('nonsense\r\n\r\n'),
  unauthorized: send('GET', '/v1/pets', { key: null }),
  insufficient_scope: async (service) => {
    const { key } = await storeKey(service.store, ['store:read']);
    const list = () => service.call('GET', '/v1/pets', { key });
    await eventually(async () => (await list()).status !== 401, 'the service knows the key');
    return (await list()).text;
  },
  pet_not_found: send('GET', '/v1/pets/1'),
  order_not_found: send('PATCH', '/v1/store/orders/1', { body: { status: 'completed' } }),
  key_not_found: send('DELETE', '/v1/keys/1'),
  key_not_active: async (service) => {
    const { id } = await storeKey(service.store, ['*']);
    await service.call('DELETE', `/v1/keys/${id}`);
    return (await service.call('POST', `/v1/keys/${id}/rotate`, { body: {} })).text;
  },
  not_found: send('GET', '/v1/cats'),
  method_not_allowed: send('DELETE', '/v1/pets'),
  request_timeout: sendBytes('GET /v1/pets HTTP/1.1\r\n'),
  pet_not_available: async (service) => {
    await service.call('POST', '/v1/pets', { body: { ...pet, status: 'sold' } });
    return (await service.call('POST', '/v1/store/orders', { body: { petId: 1 } })).text;
  },
  order_closed: async (service) => {
    await service.call('POST', '/v1/pets', { body: pet });
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    await service.call('PATCH', '/v1/store/orders/1', { body: { status: 'cancelled' } });
    return (await service.call('PATCH', '/v1/store/orders/1', { body: { status: 'completed' } })).text;
  },
  cursor_expired: send('GET', `/v1/events?after=${eventId({ id: 1n, at: new Date(0) })}`),
  category_not_found: send('GET', '/v1/categories/1'),
  category_exists: async (service) => {
    await service.call('POST', '/v1/categories', { body: { name: 'Dogs' } });
    return (await service.call('POST', '/v1/categories', { body: { name: 'dogs' } })).text;
  },
  category_in_use: async (service) => {
    await service.call('POST', '/v1/pets', { body: pet });
    await service.call('PUT', '/v1/categories/7', { body: { name: 'Dogs' } });
    return (await service.call('DELETE', '/v1/categories/7')).text;
  },
  order_not_completed: async (service) => {
    await service.call('POST', '/v1/pets', { body: pet });
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    return (await service.call('PATCH', '/v1/store/orders/1', { body: { status: 'returned' } })).text;
  },
  pet_not_sold: async (service) => {
    await service.call('POST', '/v1/pets', { body: pet });
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    await service.call('PATCH', '/v1/store/orders/1', { body: { status: 'completed' } });
    await service.call('DELETE', '/v1/pets/1');
    return (await service.call('PATCH', '/v1/store/orders/1', { body: { status: 'returned' } })).text;
  },
  pet_has_open_order: async (service) => {
    await service.call('POST', '/v1/pets', { body: pet });
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    return (await service.call('DELETE', '/v1/pets/1')).text;
  },
  pet_sold_by_order: async (service) => {
    await service.call('POST', '/v1/pets', { body: pet });
    await service.call('POST', '/v1/store/orders', { body: { petId: 1 } });
    await service.call('PATCH', '/v1/store/orders/1', { body: { status: 'completed' } });
    return (await service.call('PATCH', '/v1/pets/1', { body: { status: 'available' } })).text;
  },
  pet_not_removed: async (service) => {
    await service.call('POST', '/v1/pets', { body: pet });
    return (await service.call('POST', '/v1/pets/1/restore')).text;
  },
  precondition_failed: async (service) => {
    await service.call('POST', '/v1/pets', { body: pet });
    return (await service.call('DELETE', '/v1/pets/1', { headers: { 'if-match': '"old"' } })).text;
  },
  operation_removed: send('GET', '/v1/pets/1'),
  payload_too_large: send('POST', '/v1/pets', { body: { ...pet, more: 'x'.repeat(65_536) } }),
  uri_too_long: sendBytes(`GET /v1/pets?${'x'.repeat(9000)} HTTP/1.1\r\n${headers}\r\n`),
  unsupported_media_type: send('POST', '/v1/pets', {
    raw: 'name=Rex',
    headers: { 'content-type': 'text/plain' },
  }),
  idempotency_key_reused: async (service) => {
    const idempotent = { 'idempotency-key': 'k' };
    await service.call('POST', '/v1/pets', { body: pet, headers: idempotent });
    return (await service.call('POST', '/v1/pets', { body: { ...pet, name: 'Tom' }, headers: idempotent }))
      .text;
  },
  rate_limited: async (service) => {
    await service.call('GET', '/v1/pets');
    return (await service.call('GET', '/v1/pets')).text;
  },
  headers_too_large: sendBytes(`GET /v1/pets HTTP/1.1\r\n${headers}X: ${'x'.repeat(17_000)}\r\n\r\n`),
  internal_error: async (service, file) => {
    withDatabase(file, (db) => db.exec('ALTER TABLE pets RENAME TO lost'));
    return (await service.call('GET', '/v1/pets')).text;
  },
  unavailable: async (service, file) => {
    const db = new DatabaseSync(file);
    db.exec('BEGIN IMMEDIATE');
    const { text } = await service.call('POST', '/v1/pets', { body: pet });
    db.close();
    return text;
  },
};

describe('every error code', { concurrency: true }, () => {
  for (const [code, provoke] of Object.entries(requestsByCode) as [ErrorCode, Provoke][]) {
    it(`${code} can occur`, async (t: TestContext) => {
      const file = join(await temporaryFolder(t), 'pets.db');
      const config = {
        removeDeprecated: code === 'operation_removed',
        rateLimit: code === 'rate_limited' ? { quota: 1, seconds: 60 } : undefined,
      };
      const service = await startService(t, { database: `sqlite:${file}`, config });
      const { message, ...rest } = JSON.parse(await provoke(service, file));
      assert.deepEqual(rest, { code, status: errors[code].status });
      assert.equal(typeof message, 'string');
    });
  }

  it('500 reveals nothing about the implementation; the log has the details', async (t) => {
    const file = join(await temporaryFolder(t), 'pets.db');
    const service = await startService(t, { database: `sqlite:${file}` });
    const text = await requestsByCode.internal_error(service, file);
    assert.doesNotMatch(text, /lost|table|pets|sql/i);
    assert.match(JSON.stringify(service.log), /no such table: (main\.)?pets/);
  });
});

function withDatabase(file: string, work: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(file, { timeout: 10_000 });
  work(db);
  db.close();
}
