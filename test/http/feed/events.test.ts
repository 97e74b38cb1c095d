import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { eventId } from '../../../src/contract/event-id.ts';
import { KEY, type Service, startService } from '../../support/service/service.ts';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly at: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly pet: { readonly id: number; readonly name: string };
}

async function addPets(service: Service, count: number): Promise<void> {
  for (let i = 1; i <= count; i++)
    await service.call('POST', '/v1/pets', { body: { name: `Rex ${i}`, categoryId: 7 } });
}

async function eventsOf(service: Service, query = ''): Promise<Event[]> {
  const { status, text } = await service.call('GET', `/v1/events${query}`);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

describe('GET /v1/events', () => {
  it('lists each change with the key that made it, oldest first', async (t) => {
    const service = await startService(t);
    await addPets(service, 1);
    await service.call('PATCH', '/v1/pets/1', { raw: '{"categoryId":9223372036854775807}' });
    const { status, headers, text } = await service.call('GET', '/v1/events');
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
    assert.equal(headers.get('link'), null);
    const [created, updated] = JSON.parse(text) as [Event, Event];
    assert.deepEqual([created.type, updated.type], ['pet.created', 'pet.updated']);
    assert.match(created.keyId, /^env-/);
    assert.equal(created.keyName, created.keyId);
    assert.ok(Date.parse(created.at) <= Date.now());
    assert.notEqual(created.id, updated.id);
    assert.ok(
      text.includes(
        '"pet":{"id":1,"name":"Rex 1","categoryId":9223372036854775807,"status":"available"},"before":{"categoryId":7}',
      ),
      text,
    );
  });

  it('leads through all pages by Link, and on from the last event by its id', async (t) => {
    const service = await startService(t);
    await addPets(service, 7);
    const seen: Event[] = [];
    let query: string | undefined = '?limit=3';
    while (query !== undefined) {
      const { headers, text } = await service.call('GET', `/v1/events${query}`);
      seen.push(...(JSON.parse(text) as Event[]));
      query = headers.get('link')?.match(/^<([^>]*)>; rel="next"$/)?.[1];
      if (query !== undefined) assert.match(query, /^\?limit=3&after=[\w-]{38}$/);
    }
    assert.deepEqual(
      seen.map(({ pet }) => pet.id),
      [1, 2, 3, 4, 5, 6, 7],
    );
    assert.deepEqual(await eventsOf(service, '?limit=100'), seen);
    const last = seen.at(-1)?.id;
    assert.deepEqual(await eventsOf(service, `?after=${last}`), []);
    await addPets(service, 1);
    const next = await eventsOf(service, `?after=${last}`);
    assert.deepEqual(
      next.map(({ pet }) => pet.id),
      [8],
    );
    assert.deepEqual(
      (await eventsOf(service, '?petId=3')).map(({ pet }) => pet.id),
      [3],
    );
  });

  it('answers 400 to what is not the id of an event, and 410 to that of one that is not there', async (t) => {
    const service = await startService(t);
    await addPets(service, 1);
    const [event] = await eventsOf(service);
    const id = String(event?.id);
    const other = `${id.slice(0, 5)}${id[5] === 'A' ? 'B' : 'A'}${id.slice(6)}`;
    for (const after of ['', '1', id.slice(1), `${id}A`, other, `${id}&after=${id}`]) {
      const { status, text } = await service.call('GET', `/v1/events?after=${after}`);
      assert.equal(status, 400, `${after} ${text}`);
      assert.match(text, /"code":"invalid_parameter","message":"after /);
    }
    const lost = eventId({ id: 2n, at: new Date() });
    const { status, text } = await service.call('GET', `/v1/events?after=${lost}`);
    assert.equal(status, 410);
    assert.match(text, /"code":"cursor_expired".*Start again without `after`/);
    for (const query of ['?limit=0', '?limit=101', '?petId=x', '?After=x', '?petId=1&petId=2'])
      assert.equal((await service.call('GET', `/v1/events${query}`)).status, 400);
    assert.equal((await service.call('GET', '/v1/events', { key: null })).status, 401);
    assert.equal((await service.call('POST', '/v1/events', { key: KEY, body: {} })).status, 405);
  });

  it('lists the changes of several types by several keys, up to 20 of each', async (t) => {
    const service = await startService(t);
    await addPets(service, 2);
    await service.call('DELETE', '/v1/pets/1');
    const [created] = await eventsOf(service);
    const byOthers = (count: number) =>
      `?type=pet.removed${Array.from({ length: count }, (_, i) => `&keyId=${i}`).join('')}`;
    const found = await eventsOf(service, `${byOthers(19)}&keyId=${created?.keyId}`);
    assert.deepEqual(
      found.map(({ type, pet }) => [type, pet.id]),
      [['pet.removed', 1]],
    );
    assert.deepEqual(await eventsOf(service, byOthers(20)), []);
    for (const query of [byOthers(21), '?type=pet.sold', '?type=pet.created&type=', '?keyId=a.b']) {
      const { status, text } = await service.call('GET', `/v1/events${query}`);
      assert.equal(status, 400, query);
      assert.match(text, /"code":"invalid_parameter","message":"(?:type|keyId) must be 1 to 20 /);
    }
  });
});
