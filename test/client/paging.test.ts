import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServiceForFile } from '../support/shared.ts';
import { clientOf, collect, failureOf } from './support/client.ts';
import { type Fate, startGateway } from './support/gateway.ts';

const listWith = (link: string, body = '[]'): Fate => ({ status: 200, headers: { link }, body });
const idsOf = (pets: readonly { readonly id: bigint }[]) => pets.map(({ id }) => id);

describe('Pages of the client', async () => {
  const service = await startServiceForFile();
  const store = clientOf(`${service.origin}/v1`);
  const added: bigint[] = [];
  for (let batch = 0; batch < 2; batch++) {
    const pets = Array.from({ length: 70 }, (_, n) => ({ name: `Pet ${n}`, categoryId: n }));
    added.push(...idsOf(await store.createPets(pets)));
  }
  const ids = added.toReversed();

  it('lead from one to the next and end', async () => {
    const first = await store.listPets({ limit: 60, status: 'available' });
    const second = await store.listPets(first.next);
    const third = await store.listPets(second.next);
    const seen = [first, second, third].map(({ items }) => idsOf(items));
    assert.deepEqual(seen, [ids.slice(0, 60), ids.slice(60, 120), ids.slice(120)]);
    assert.equal(new URL(first.next ?? '').searchParams.get('status'), 'available');
    assert.equal(third.next, undefined);
  });

  it('are walked by for await, in pages of 100 unless a limit is given, as far as the loop goes', async (t) => {
    const gateway = await startGateway(t, service.origin, []);
    const through = clientOf(gateway.baseUrl);
    assert.deepEqual(idsOf(await collect(through.pets({ status: 'available' }))), ids);
    assert.equal(gateway.requests.length, 2);
    assert.equal((await collect(through.pets({ limit: 50 }))).length, ids.length);
    assert.equal(gateway.requests.length, 2 + 3);
    for await (const _pet of through.pets({ limit: 2 })) break;
    assert.equal(gateway.requests.length, 2 + 3 + 1);
  });

  it('may be short or empty before the last one', async (t) => {
    const rex = '{"id":2,"name":"Rex","categoryId":7,"status":"sold"}';
    const fates = [`[${rex}]`, '[]', `[${rex.replace('2', '1')}]`].map((body, page) =>
      listWith(page < 2 ? `<?cursor=${page}>; rel="next"` : '', body),
    );
    const gateway = await startGateway(t, service.origin, fates);
    assert.deepEqual(idsOf(await collect(clientOf(gateway.baseUrl).pets({ name: 'rex' }))), [2n, 1n]);
    assert.equal(gateway.requests.length, 3);
  });

  it('work behind a proxy with a path prefix, whatever form the reference has', async (t) => {
    const gateway = await startGateway(t, service.origin, [], { prefix: '/shop/animals' });
    assert.equal(gateway.baseUrl, `${gateway.origin}/shop/animals/v1`);
    assert.deepEqual(idsOf(await collect(clientOf(gateway.baseUrl).pets())), ids);
    const references = ['', 'pets', '/v1/pets', 'https://h.example/'].map((path) => `${path}?cursor=abc`);
    for (const reference of references) {
      const link = `</v1/pets>; rel="prev"; title="a, b", <${reference}>; title="x"; rel="last Next"`;
      const scripted = await startGateway(t, service.origin, [listWith(link)]);
      const { next } = await clientOf(scripted.baseUrl).listPets();
      assert.equal(next, `${scripted.baseUrl}/pets?cursor=abc`);
    }
    const last = await startGateway(t, service.origin, [
      listWith('<?cursor=a>; rel="prev"; title="rel=next"'),
    ]);
    assert.equal((await clientOf(last.baseUrl).listPets()).next, undefined);
  });

  it('never lead the API key to another host', async (t) => {
    const stranger = await startGateway(t, 'http://unused.test', []);
    const gateway = await startGateway(t, service.origin, [
      listWith(`<${stranger.origin}/v1/pets?limit=1>; rel="next"`),
      listWith(''),
    ]);
    const through = clientOf(gateway.baseUrl);
    await collect(through.pets());
    await through.listPets(`${stranger.origin}/v1/pets?limit=1`);
    assert.deepEqual(
      gateway.requests.map(({ path }) => path),
      ['/v1/pets?limit=100', '/v1/pets?limit=1', '/v1/pets?limit=1'],
    );
    assert.deepEqual(stranger.requests, []);
  });

  it('fail when the Link header is broken, instead of ending early or beginning anew', async (t) => {
    for (const link of ['<http://[>; rel="next"', '</v1/pets>; rel="next"']) {
      const gateway = await startGateway(t, service.origin, [listWith(link)]);
      const through = clientOf(gateway.baseUrl);
      const { code, message } = await failureOf(collect(through.pets()));
      assert.equal(code, 'unexpected_response');
      assert.match(message, /Link/);
      for (const query of ['http://[', 'a cursor'])
        assert.equal((await failureOf(through.listPets(query))).code, 'invalid_argument');
      assert.equal(gateway.requests.length, 1);
    }
  });
});
