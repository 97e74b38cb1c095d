import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Service, startService } from '../support/service/service.ts';
import { clientOf, collect, failureOf } from './support/client.ts';
import { type Fate, startGateway } from './support/gateway.ts';

async function addPets({ origin }: Service, count: number): Promise<bigint[]> {
  const store = clientOf(`${origin}/v1`);
  const pets = Array.from({ length: count }, (_, n) => store.createPet({ name: `Pet ${n}`, categoryId: n }));
  return (await Promise.all(pets)).map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1));
}

const listWith = (link: string, body = '[]'): Fate => ({ status: 200, headers: { link }, body });

describe('Pages of the client', () => {
  it('lead from one to the next and end', async (t) => {
    const service = await startService(t);
    const ids = await addPets(service, 5);
    const store = clientOf(`${service.origin}/v1`);
    const first = await store.listPets({ limit: 2, status: 'available' });
    const second = await store.listPets(first.next);
    const third = await store.listPets(second.next);
    const seen = [first, second, third].map(({ items }) => items.map(({ id }) => id));
    assert.deepEqual(seen, [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    assert.equal(new URL(first.next ?? '').searchParams.get('status'), 'available');
    assert.equal(third.next, undefined);
  });

  it('are walked to the end by for await, in pages of 100 unless a limit is given', async (t) => {
    const service = await startService(t);
    const ids = await addPets(service, 230);
    const gateway = await startGateway(t, service.origin, []);
    const store = clientOf(gateway.baseUrl);
    const walked = await collect(store.pets({ status: 'available' }));
    assert.deepEqual(
      walked.map(({ id }) => id),
      ids,
    );
    assert.equal(gateway.requests.length, 3);
    assert.equal((await collect(store.pets({ limit: 50 }))).length, 230);
    assert.equal(gateway.requests.length, 3 + 5);
    for (const id of ids.slice(0, 5)) await store.createOrder({ petId: id });
    assert.equal((await collect(store.orders({ limit: 2, status: 'placed' }))).length, 5);
  });

  it('are fetched only as far as the loop goes', async (t) => {
    const service = await startService(t);
    await addPets(service, 6);
    const gateway = await startGateway(t, service.origin, []);
    for await (const _pet of clientOf(gateway.baseUrl).pets({ limit: 2 })) break;
    assert.equal(gateway.requests.length, 1);
  });

  it('contain every animal that was there exactly once, whatever is written meanwhile', async (t) => {
    const service = await startService(t);
    const ids = await addPets(service, 300);
    const store = clientOf(`${service.origin}/v1`);
    const walked: bigint[] = [];
    const writes: Promise<unknown>[] = [];
    for await (const { id } of store.pets({ limit: 7 })) {
      walked.push(id);
      if (walked.length % 3 !== 0) continue;
      writes.push(store.createPet({ name: 'new', categoryId: 1 }), store.createOrder({ petId: id }));
    }
    await Promise.all(writes);
    assert.ok(writes.length >= 200, 'there were writes');
    assert.deepEqual(walked, ids);
  });

  it('work behind a proxy with a path prefix, whatever form the reference has', async (t) => {
    const service = await startService(t);
    const ids = await addPets(service, 3);
    const gateway = await startGateway(t, service.origin, [], { prefix: '/shop/animals' });
    assert.equal(gateway.baseUrl, `${gateway.origin}/shop/animals/v1`);
    const walked = await collect(clientOf(gateway.baseUrl).pets({ limit: 1 }));
    assert.deepEqual(
      walked.map(({ id }) => id),
      ids,
    );
    for (const reference of [
      '?cursor=abc',
      'pets?cursor=abc',
      '/v1/pets?cursor=abc',
      'https://h.example/?cursor=abc',
    ]) {
      const link = `</v1/pets>; rel="prev"; title="a, b", <${reference}>; title="x"; rel="last Next"`;
      const scripted = await startGateway(t, service.origin, [listWith(link)]);
      const { next } = await clientOf(scripted.baseUrl).listPets();
      assert.equal(next, `${scripted.baseUrl}/pets?cursor=abc`);
    }
  });

  it('never lead the API key to another host', async (t) => {
    const stranger = await startGateway(t, 'http://unused.test', []);
    const service = await startService(t);
    const gateway = await startGateway(t, service.origin, [
      listWith(`<${stranger.origin}/v1/pets?limit=1>; rel="next"`),
    ]);
    const store = clientOf(gateway.baseUrl);
    await collect(store.pets());
    await store.listPets(`${stranger.origin}/v1/pets?limit=1`);
    assert.deepEqual(
      gateway.requests.map(({ path }) => path),
      ['/v1/pets?limit=100', '/v1/pets?limit=1', '/v1/pets?limit=1'],
    );
    assert.deepEqual(stranger.requests, []);
  });

  it('fail instead of ending early when the Link header is broken', async (t) => {
    const service = await startService(t);
    const gateway = await startGateway(t, service.origin, [listWith('<http://[>; rel="next"')]);
    const { code, message } = await failureOf(clientOf(gateway.baseUrl).listPets());
    assert.equal(code, 'unexpected_response');
    assert.match(message, /Link/);
    assert.equal((await failureOf(clientOf(gateway.baseUrl).listPets('http://['))).code, 'invalid_argument');
  });

  it('fail instead of beginning anew when a reference has no query', async (t) => {
    const service = await startService(t);
    const gateway = await startGateway(t, service.origin, [listWith('</v1/pets>; rel="next"')]);
    const store = clientOf(gateway.baseUrl);
    assert.equal((await failureOf(collect(store.pets()))).code, 'unexpected_response');
    assert.equal((await failureOf(store.listPets('a cursor'))).code, 'invalid_argument');
    assert.equal(gateway.requests.length, 1);
  });

  it('end when a Link header names no next page', async (t) => {
    const service = await startService(t);
    const gateway = await startGateway(t, service.origin, [
      listWith('<?cursor=a>; rel="prev"; title="rel=next"'),
    ]);
    assert.equal((await clientOf(gateway.baseUrl).listPets()).next, undefined);
  });
});
