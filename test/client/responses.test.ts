import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseExact } from '../../src/client/response.ts';
import { orderJson } from '../../src/contract/order.ts';
import { petJson } from '../../src/contract/pet.ts';
import { clientOf, collect, failureOf } from './support/client.ts';
import { type OwnResponse, startGateway } from './support/gateway.ts';

const html = { 'content-type': 'text/html; charset=utf-8' };

const strange: Record<string, OwnResponse> = {
  'JSON that is cut short': { status: 200, body: '[{"id":1,"name":"R' },
  'JSON that is cut short within a long number': { status: 200, body: '[{"id":900719925474099' },
  'an empty body': { status: 200 },
  'another content type': { status: 200, headers: html, body: '[]' },
  'a page of a proxy': { status: 403, headers: html, body: '<h1>Forbidden</h1>' },
  'an object in place of a list': { status: 200, body: '{"items":[]}' },
  'a number in place of a list': { status: 200, body: '7' },
  'null in place of a list': { status: 200, body: 'null' },
  'an error without a code': { status: 500, body: '{"message":"oops"}' },
  'an error that is a list': { status: 500, body: '[]' },
  'a redirect': { status: 302, headers: { location: 'https://shop.example/' } },
};

describe('A response that the service never sends', () => {
  it('is reported as unexpected, and not retried', async (t) => {
    for (const [what, response] of Object.entries(strange)) {
      const gateway = await startGateway(t, '', [response]);
      const error = await failureOf(clientOf(gateway.baseUrl).listPets());
      assert.deepEqual([what, error.code, error.status], [what, 'unexpected_response', response.status]);
      assert.match(error.message, /^The response with status \d+ [^\n]+\. Check baseUrl [^\n]+\.$/);
      assert.equal(error.requestId, gateway.requests[0]?.headers['x-request-id']);
      assert.equal(gateway.requests.length, 1);
    }
  });

  it('is reported when it is a damaged event, after those of types that a later version has added', async () => {
    const headers = { 'content-type': 'text/event-stream', 'last-event-id': 'a' };
    const added = { id: 'b', type: 'pet.vaccinated', against: 'rabies' };
    const data = `data: ${JSON.stringify(added)}\n\ndata: {"id\n\n`;
    const events = clientOf('http://localhost/v1', {
      fetch: async () => new Response(data, { headers }),
    }).events();
    assert.deepEqual((await events.next()).value, added);
    const error = await failureOf(collect(events));
    assert.deepEqual([error.code, error.status], ['unexpected_response', 200]);
  });

  it('does not disturb the client when it only has more fields or headers', async (t) => {
    const body =
      '[{"id":9007199254740993,"name":"1234567890123456789","price":1.5,"tags":[true,null,-9223372036854775808]}]';
    const gateway = await startGateway(t, '', [
      { status: 200, headers: { 'content-type': 'Application/JSON ; charset=utf-8' }, body },
    ]);
    const { items } = await clientOf(gateway.baseUrl).listPets();
    assert.deepEqual(items as unknown[], [
      { id: 9007199254740993n, name: '1234567890123456789', price: 1.5, tags: [true, null, -(2n ** 63n)] },
    ]);
  });

  it('is not followed by a request to another host when it is a redirect', async (t) => {
    const stranger = await startGateway(t, '', []);
    const gateway = await startGateway(t, '', [{ status: 307, headers: { location: stranger.baseUrl } }]);
    await failureOf(clientOf(gateway.baseUrl).createPet({ name: 'Rex', categoryId: 1 }));
    assert.deepEqual(stranger.requests, []);
  });
});

describe('parseExact', () => {
  it('reads what the contract writes, digit by digit', () => {
    const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
    const name = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.isWellFormed());
    const pet = fc.record({
      id: int64,
      name: fc.oneof(name, int64.map(String), fc.constantFrom('"', '\\', '\\"', '\\\\', '9007199254740993"')),
      categoryId: int64,
      status: fc.constantFrom('available', 'pending', 'sold'),
    });
    fc.assert(
      fc.property(fc.array(pet), (pets) =>
        assert.deepEqual(
          parseExact(`[${pets.map(petJson).join()}]`),
          pets.map((one) => ({ ...one })),
        ),
      ),
      { numRuns: 200 },
    );
    const time = '2026-11-15T12:00:00.000Z';
    const ids = { id: 2n ** 63n - 1n, petId: -(2n ** 63n) };
    const order = { ...ids, status: 'placed', createdAt: time, updatedAt: time } as const;
    assert.deepEqual(parseExact(orderJson(order)), order);
  });

  it('makes the client refuse a runtime that does not give the source text', (t) => {
    t.mock.method(JSON, 'parse', (_: string, revive: (...given: unknown[]) => unknown) => revive('', 0));
    const expected = { name: 'AnimalStoreError', code: 'unsupported_runtime' };
    assert.throws(() => clientOf('http://localhost/v1'), expected);
  });
});
