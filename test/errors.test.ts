import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, it, type TestContext } from 'node:test';
import { type ErrorCode, errors } from '../src/contract/errors.ts';
import { eventId } from '../src/contract/event-id.ts';
import { eventually } from './support/eventually.ts';
import { KEY, type ServiceOptions, startService, temporaryFolder } from './support/service/service.ts';
import { storeKey } from './support/service/stored-key.ts';
import { exchange, parseAnswer } from './support/wire/socket.ts';

const file = join(await temporaryFolder({ after }), 'pets.db');
const { call, port, store } = await startService({ after }, { database: `sqlite:${file}` });

const pet = { name: 'Rex', categoryId: 7 };
const headers = `Host: a\r\nConnection: close\r\nAuthorization: Bearer ${KEY}\r\n`;
const bytes = async (sent: string) => parseAnswer(await exchange(port, sent)).body;
const idOf = ({ json }: { json: unknown }) => (json as { id: number }).id;

type Request = Parameters<typeof call>;
const send = async (...request: Request) => (await call(...request)).text;
const add = async (status = 'available') =>
  idOf(await call('POST', '/v1/pets', { body: { ...pet, status } }));
/** Orders a new animal, and changes the order to these statuses. The last response is returned. */
async function order(...statuses: readonly string[]): Promise<string> {
  const created = await call('POST', '/v1/store/orders', { body: { petId: await add() } });
  let { text } = created;
  for (const status of statuses)
    text = await send('PATCH', `/v1/store/orders/${idOf(created)}`, { body: { status } });
  return text;
}
async function orderedPet(...statuses: readonly string[]): Promise<{ pet: string; order: string }> {
  const { id, petId } = JSON.parse(await order(...statuses)) as { id: number; petId: number };
  return { pet: `/v1/pets/${petId}`, order: `/v1/store/orders/${id}` };
}
/** Sends the request twice to a service with other options. */
async function sendTo(t: TestContext, options: ServiceOptions, ...request: Request): Promise<string> {
  const service = await startService(t, options);
  await service.call(...request);
  return (await service.call(...request)).text;
}

/** For each code, a request that gets it from the running service. */
const textsByCode: Record<ErrorCode, (t: TestContext) => Promise<string>> = {
  invalid_request: () => send('POST', '/v1/pets', { body: {} }),
  invalid_parameter: () => send('GET', '/v1/pets?limit=0'),
  bad_request: () => bytes('nonsense\r\n\r\n'),
  unauthorized: () => send('GET', '/v1/pets', { key: null }),
  insufficient_scope: async () => {
    const { key } = await storeKey(store, ['store:read']);
    const list = () => call('GET', '/v1/pets', { key });
    await eventually(async () => (await list()).status !== 401, 'the service knows the key');
    return (await list()).text;
  },
  pet_not_found: () => send('GET', '/v1/pets/0'),
  order_not_found: () => send('PATCH', '/v1/store/orders/0', { body: { status: 'completed' } }),
  key_not_found: () => send('DELETE', '/v1/keys/0'),
  key_not_active: async () => {
    const { id } = await storeKey(store, ['*']);
    await call('DELETE', `/v1/keys/${id}`);
    return send('POST', `/v1/keys/${id}/rotate`, { body: {} });
  },
  not_found: () => send('GET', '/v1/cats'),
  method_not_allowed: () => send('DELETE', '/v1/pets'),
  // In a service of its own: on a busy machine, a request that is sent at once would be late as well.
  request_timeout: async (t) => {
    const { port } = await startService(t, { limits: { headersMs: 500, checkMs: 50 } });
    return parseAnswer(await exchange(port, 'GET /v1/pets HTTP/1.1\r\n')).body;
  },
  pet_not_available: async () => send('POST', '/v1/store/orders', { body: { petId: await add('sold') } }),
  order_closed: () => order('cancelled', 'completed'),
  cursor_expired: () => send('GET', `/v1/events?after=${eventId({ id: 1n, at: new Date(0) })}`),
  category_not_found: () => send('GET', '/v1/categories/0'),
  category_exists: async () => {
    await call('POST', '/v1/categories', { body: { name: 'Dogs' } });
    return send('POST', '/v1/categories', { body: { name: 'dogs' } });
  },
  category_in_use: async () => {
    await add();
    await call('PUT', '/v1/categories/7', { body: { name: 'Cats' } });
    return send('DELETE', '/v1/categories/7');
  },
  order_not_completed: () => order('returned'),
  pet_not_sold: async () => {
    const sold = await orderedPet('completed');
    await call('DELETE', sold.pet);
    return send('PATCH', sold.order, { body: { status: 'returned' } });
  },
  pet_has_open_order: async () => send('DELETE', (await orderedPet()).pet),
  pet_sold_by_order: async () =>
    send('PATCH', (await orderedPet('completed')).pet, { body: { status: 'available' } }),
  pet_not_removed: async () => send('POST', `/v1/pets/${await add()}/restore`),
  precondition_failed: async () =>
    send('DELETE', `/v1/pets/${await add()}`, { headers: { 'if-match': '"old"' } }),
  operation_removed: (t) => sendTo(t, { config: { removeDeprecated: true } }, 'GET', '/v1/pets/1'),
  payload_too_large: () => send('POST', '/v1/pets', { body: { ...pet, more: 'x'.repeat(65_536) } }),
  uri_too_long: () => bytes(`GET /v1/pets?${'x'.repeat(9000)} HTTP/1.1\r\n${headers}\r\n`),
  unsupported_media_type: () =>
    send('POST', '/v1/pets', { raw: 'name=Rex', headers: { 'content-type': 'text/plain' } }),
  idempotency_key_reused: async () => {
    const idempotent = { 'idempotency-key': 'k' };
    await call('POST', '/v1/pets', { body: pet, headers: idempotent });
    return send('POST', '/v1/pets', { body: { ...pet, name: 'Tom' }, headers: idempotent });
  },
  rate_limited: (t) => sendTo(t, { config: { rateLimit: { quota: 1, seconds: 60 } } }, 'GET', '/v1/pets'),
  headers_too_large: () => bytes(`GET /v1/pets HTTP/1.1\r\n${headers}X: ${'x'.repeat(17_000)}\r\n\r\n`),
  internal_error: async (t) => {
    const broken = join(await temporaryFolder(t), 'pets.db');
    const service = await startService(t, { database: `sqlite:${broken}` });
    const db = new DatabaseSync(broken, { timeout: 10_000 });
    db.exec('ALTER TABLE pets RENAME TO lost');
    db.close();
    const { text } = await service.call('GET', '/v1/pets');
    assert.doesNotMatch(text, /lost|table|pets|sql/i, 'it reveals nothing about the implementation');
    assert.match(JSON.stringify(service.log), /no such table: (main\.)?pets/, 'the log has the details');
    return text;
  },
  unavailable: async () => {
    const db = new DatabaseSync(file, { timeout: 10_000 });
    db.exec('BEGIN IMMEDIATE');
    const text = await send('POST', '/v1/pets', { body: pet });
    db.close();
    return text;
  },
};

describe('every error code', () => {
  for (const code of Object.keys(errors) as ErrorCode[])
    it(`${code} can occur`, async (t) => {
      const { message, ...rest } = JSON.parse(await textsByCode[code](t));
      assert.deepEqual(rest, { code, status: errors[code].status });
      assert.equal(typeof message, 'string');
    });
});
