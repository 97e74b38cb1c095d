import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError, assertNamesSale } from '../../support/assert.ts';
import type { Answer } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';

const service = await startServiceForFile();

const add = async (body: object = {}): Promise<{ path: string; id: bigint; answer: Answer }> => {
  const answer = await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7, ...body } });
  const { id } = answer.json as { id: bigint };
  return { path: `/v1/pets/${id}`, id, answer };
};
const etagOf = ({ headers }: Answer): string => headers.get('etag') ?? '';

describe('PATCH /v1/pets/{petId}', () => {
  it('changes the given fields, and returns the animal with its new ETag', async () => {
    const { path, id, answer } = await add();
    const changed = await service.call('PATCH', path, { body: { name: 'Ada', status: 'sold' } });
    assert.equal(changed.status, 200);
    assert.equal(changed.text, `{"id":${id},"name":"Ada","categoryId":7,"status":"sold"}`);
    const got = await service.call('GET', path);
    assert.equal(got.text, changed.text);
    assert.equal(etagOf(got), etagOf(changed));
    assert.notEqual(etagOf(got), etagOf(answer));
    const same = await service.call('PATCH', path, { body: {} });
    assert.deepEqual([same.status, same.text, etagOf(same)], [200, changed.text, etagOf(changed)]);
  });

  it('keeps 64-bit integers exact', async () => {
    const { path, id } = await add();
    const { text } = await service.call('PATCH', path, { raw: '{"categoryId":9007199254740993}' });
    assert.equal(text, `{"id":${id},"name":"Rex","categoryId":9007199254740993,"status":"available"}`);
  });

  it('names every problem at once, and changes nothing', async () => {
    const { path, answer } = await add();
    const refused = await service.call('PATCH', path, {
      body: { name: null, categoryId: '7', status: null },
    });
    assertError(refused, 400, 'invalid_request');
    for (const field of ['name', 'categoryId', 'status'])
      assert.match(refused.text, new RegExp(`${field} must`));
    assertError(await service.call('PATCH', path), 400, 'invalid_request');
    assertError(await service.call('PATCH', path, { raw: '[]' }), 400, 'invalid_request');
    assert.equal((await service.call('GET', path)).text, answer.text);
  });

  it('accepts a merge patch and plain JSON, and names both when it gets another type', async () => {
    const { path } = await add();
    for (const type of [
      'application/merge-patch+json',
      'Application/Merge-Patch+JSON; charset=UTF-8',
      'application/json',
    ])
      assert.equal(
        (await service.call('PATCH', path, { raw: '{}', headers: { 'content-type': type } })).status,
        200,
      );
    for (const type of [
      'application/json-patch+json',
      'application/merge-patch+json; charset=latin1',
      'text/plain',
    ]) {
      const refused = await service.call('PATCH', path, { raw: '[]', headers: { 'content-type': type } });
      assertError(refused, 415, 'unsupported_media_type');
      assert.equal(refused.headers.get('accept-patch'), 'application/merge-patch+json, application/json');
    }
    const merge = { 'content-type': 'application/merge-patch+json' };
    const refused = await service.call('POST', '/v1/pets', { raw: '{}', headers: merge });
    assertError(refused, 415, 'unsupported_media_type');
    assert.equal(refused.headers.get('accept-patch'), null);
  });

  it('does not change the status of an animal that an order has sold, and names the order', async () => {
    const { path, id } = await add();
    const ordered = await service.call('POST', '/v1/store/orders', { body: { petId: Number(id) } });
    const { id: orderId } = ordered.json as { id: bigint };
    const close = (status: string) =>
      service.call('PATCH', `/v1/store/orders/${orderId}`, { body: { status } });
    const patch = (body: object) => service.call('PATCH', path, { body });
    assert.equal((await close('completed')).status, 200);
    for (const status of ['available', 'pending']) {
      const refused = await patch({ name: 'Tom', status });
      assert.equal(refused.status, 409, refused.text);
      const { code, message, ...rest } = refused.json as { code: string; message: string };
      assert.deepEqual([code, rest], ['pet_sold_by_order', { status: 409 }]);
      assertNamesSale(message, orderId);
    }
    const renamed = await patch({ name: 'Ada', categoryId: 8, status: 'sold' });
    assert.equal(renamed.text, `{"id":${id},"name":"Ada","categoryId":8,"status":"sold"}`);
    assert.equal((await service.call('GET', path)).text, renamed.text);
    assert.equal((await close('returned')).status, 200);
    assert.equal((await patch({ status: 'pending' })).status, 200);
  });

  it('answers 404 for what is no animal', async () => {
    for (const petId of ['0', 'abc', '9223372036854775808', 'batch'])
      assertError(await service.call('PATCH', `/v1/pets/${petId}`, { body: {} }), 404, 'pet_not_found');
  });
});

describe('DELETE /v1/pets/{petId}', () => {
  it('removes the animal; restore brings it back', async () => {
    const { path, answer } = await add({ status: 'sold' });
    const removed = await service.call('DELETE', `${path}?reason=died`);
    assert.deepEqual([removed.status, removed.text], [204, '']);
    for (const method of ['GET', 'DELETE', 'PATCH'])
      assertError(
        await service.call(method, path, method === 'PATCH' ? { body: {} } : {}),
        404,
        'pet_not_found',
      );
    const [latest] = (await service.call('GET', '/v1/pets?removed=true&limit=1')).json as object[];
    const { removedAt, ...animal } = latest as { removedAt: string };
    assert.deepEqual(animal, { ...(answer.json as object), reason: 'died' });
    assert.match(removedAt, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const restored = await service.call('POST', `${path}/restore`);
    assert.deepEqual([restored.status, restored.text, etagOf(restored)], [200, answer.text, etagOf(answer)]);
    assertError(await service.call('POST', `${path}/restore`), 409, 'pet_not_removed');
    assertError(await service.call('POST', '/v1/pets/0/restore'), 404, 'pet_not_found');
    assertError(await service.call('POST', '/v1/pets/abc/restore'), 404, 'pet_not_found');
  });

  it('walks through what was removed by Link, and refuses to combine that with another filter than id and name', async () => {
    const added = await Promise.all(Array.from({ length: 5 }, () => add()));
    for (const { path } of added) await service.call('DELETE', path);
    const seen: bigint[] = [];
    let next: string | undefined = '?removed=true&limit=2';
    while (next && seen.length < added.length) {
      const page = await service.call('GET', `/v1/pets${next}`);
      seen.push(...(page.json as { id: bigint }[]).map(({ id }) => id));
      next = /<([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(seen.slice(0, 5), added.map(({ id }) => id).reverse());
    for (const filter of ['status=sold', 'categoryId=7', 'id=1&status=sold', 'name=rex&categoryId=7']) {
      const refused = await service.call('GET', `/v1/pets?removed=true&${filter}`);
      assert.match(
        assertError(refused, 400, 'invalid_parameter'),
        /^removed can be combined with id and name only: leave the other filters out/,
      );
    }
    const twice = await service.call('GET', '/v1/pets?removed=true&status=sold&limit=0');
    assert.match(assertError(twice, 400, 'invalid_parameter'), /^limit must .*; removed can be combined/);
    assertError(await service.call('GET', '/v1/pets?removed=yes'), 400, 'invalid_parameter');
    const byName = await service.call('GET', '/v1/pets?removed=true&name=REX&limit=1');
    assert.equal((byName.json as object[]).length, 1, byName.text);
    const cursor = /cursor=([^&>]*)/.exec(
      (await service.call('GET', '/v1/pets?limit=1')).headers.get('link') ?? '',
    );
    const crossed = await service.call('GET', `/v1/pets?removed=true&limit=1&cursor=${cursor?.[1]}`);
    assertError(crossed, 400, 'invalid_parameter');
  });
});

describe('DELETE /v1/pets/{petId}?reason=', () => {
  it('refuses a reason that is none, or too long, and removes nothing', async () => {
    const { path } = await add();
    const long = 'ü'.repeat(201);
    for (const query of ['reason=', 'reason=%20', `reason=${long}`, 'reason=a&reason=b', 'reason=%00']) {
      const refused = await service.call('DELETE', `${path}?${query}`);
      assert.match(assertError(refused, 400, 'invalid_parameter'), /^reason must be /, query);
    }
    assertError(await service.call('DELETE', `${path}?Reason=died`), 400, 'invalid_parameter');
    assert.equal((await service.call('GET', path)).status, 200);
    assert.equal((await service.call('DELETE', `${path}?reason=${long.slice(1)}`)).status, 204);
    const [latest] = (await service.call('GET', '/v1/pets?removed=true&limit=1')).json as object[];
    assert.equal((latest as { reason: string }).reason, long.slice(1));
  });
});

describe('Conditional requests', () => {
  it('answer 304 to a read of what the client has', async () => {
    const { path, answer } = await add();
    const tag = etagOf(answer);
    assert.match(tag, /^"[\w-]{22}"$/);
    for (const sent of [tag, `W/${tag}`, `"x", ${tag}`, `"x" ,,\t${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const got = await service.call(method, path, { headers: { 'if-none-match': sent } });
        assert.deepEqual([got.status, got.text, etagOf(got)], [304, '', tag], sent);
        assert.equal(got.headers.get('deprecation'), '@1794614400');
        assert.equal(got.headers.get('content-type'), null);
      }
    }
    const changed = await service.call('GET', path, { headers: { 'if-none-match': '"x"' } });
    assert.equal(changed.status, 200);
  });

  it('change and remove only what the client knows; a weak tag never matches', async () => {
    const { path, answer } = await add();
    const tag = etagOf(answer);
    const patch = (sent: string, name: string) =>
      service.call('PATCH', path, { body: { name }, headers: { 'if-match': sent } });
    for (const sent of ['"x"', `W/${tag}`, `"x", W/${tag}`])
      assertError(await patch(sent, 'Tom'), 412, 'precondition_failed');
    assertError(
      await service.call('GET', path, { headers: { 'if-match': '"x"' } }),
      412,
      'precondition_failed',
    );
    const changed = await patch(`"x", ${tag}`, 'Ada');
    assert.equal(changed.status, 200);
    assertError(await patch(tag, 'Tom'), 412, 'precondition_failed');
    assert.equal((await patch('*', 'Eve')).status, 200);
    const ifNoneMatch = { 'if-none-match': '*' };
    assertError(await service.call('DELETE', path, { headers: ifNoneMatch }), 412, 'precondition_failed');
    const current = etagOf(await service.call('GET', path));
    const remove = () => service.call('DELETE', path, { headers: { 'if-match': current } });
    assert.equal((await remove()).status, 204);
    assertError(await remove(), 404, 'pet_not_found');
  });

  it('name what is malformed', async () => {
    const { path } = await add();
    for (const sent of ['abc', '"abc', 'W/abc', '"a" b', '"a" "b"', '"a""b"', 'w/"a"', '*, "a"', ','])
      for (const name of ['If-Match', 'If-None-Match']) {
        const refused = await service.call('GET', path, { headers: { [name]: sent } });
        assertError(refused, 400, 'invalid_parameter');
        assert.match(refused.text, new RegExp(`${name} must be \\* or a list`));
      }
  });
});

describe('POST /v1/pets/batch', () => {
  it('adds all animals in their order, once for an Idempotency-Key', async () => {
    const body = {
      pets: [
        { name: 'A', categoryId: 1 },
        { name: 'B', categoryId: 2, status: 'sold', id: 9 },
      ],
    };
    const headers = { 'idempotency-key': 'delivery-7' };
    const first = await service.call('POST', '/v1/pets/batch', { body, headers });
    assert.equal(first.status, 201);
    const pets = first.json as { id: bigint; name: string; status: string }[];
    assert.deepEqual(
      pets.map(({ name, status }) => `${name} ${status}`),
      ['A available', 'B sold'],
    );
    assert.ok((pets[0]?.id ?? 0n) < (pets[1]?.id ?? 0n));
    const again = await service.call('POST', '/v1/pets/batch', { body, headers });
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    const other = await service.call('POST', '/v1/pets/batch', {
      body: { pets: body.pets.slice(1) },
      headers,
    });
    assertError(other, 422, 'idempotency_key_reused');
  });

  it('names every problem with its position, and adds none', async () => {
    const before = (await service.call('GET', '/v1/store/inventory')).text;
    const pets = [
      { name: 'A', categoryId: 1 },
      {},
      { name: '', categoryId: 1 },
      7,
      { name: 'B', categoryId: 1, x: 1 },
    ];
    const refused = await service.call('POST', '/v1/pets/batch', {
      body: { pets },
      headers: { prefer: 'handling=strict' },
    });
    assertError(refused, 400, 'invalid_request');
    const { message } = refused.json as { message: string };
    assert.match(
      message,
      /pets\[1\]\.name is required; pets\[1\]\.categoryId is required; pets\[2\]\.name must/,
    );
    assert.match(message, /pets\[3\] /);
    assert.match(message, /pets\[4\]\.x is not known here/);
    for (const count of [0, 101]) {
      const list = Array.from({ length: count }, () => ({ name: 'A', categoryId: 1 }));
      const wrong = await service.call('POST', '/v1/pets/batch', { body: { pets: list } });
      assertError(wrong, 400, 'invalid_request');
      assert.match(wrong.text, /pets must have 1 to 100 animals/);
    }
    assertError(await service.call('POST', '/v1/pets/batch', { body: { pets: {} } }), 400, 'invalid_request');
    for (const item of [null, 'Rex', 7]) {
      const { text } = await service.call('POST', '/v1/pets/batch', { body: { pets: [item] } });
      assert.match(text, /"pets\[0\] must be a JSON object\."/);
    }
    assert.equal((await service.call('GET', '/v1/store/inventory')).text, before);
  });

  it('leaves the other methods of its path to the animal that it would name', async () => {
    for (const method of ['GET', 'HEAD', 'DELETE'])
      assert.equal((await service.call(method, '/v1/pets/batch')).status, 404);
    assertError(await service.call('GET', '/v1/pets/batch'), 404, 'pet_not_found');
  });
});

describe('The paths of an animal', () => {
  it('list their methods', async () => {
    const allow = async (path: string) => (await service.call('OPTIONS', path, { key: null })).headers;
    const headers = await allow('/v1/pets/1');
    assert.equal(headers.get('allow'), 'GET, HEAD, PATCH, DELETE, OPTIONS');
    assert.equal(headers.get('accept-patch'), 'application/merge-patch+json, application/json');
    assert.equal((await allow('/v1/pets/1/restore')).get('allow'), 'POST, OPTIONS');
    const refused = await service.call('PUT', '/v1/pets/1');
    assertError(refused, 405, 'method_not_allowed');
    assertError(await service.call('POST', '/v1/pets/1/restore/'), 404, 'not_found');
    assertError(await service.call('POST', '/v1/pets//restore'), 404, 'not_found');
  });

  it('are deprecated for GET and HEAD only', async () => {
    const { path } = await add();
    assert.notEqual((await service.call('GET', path)).headers.get('deprecation'), null);
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await service.call(method, path, method === 'PATCH' ? { body: {} } : {});
      assert.equal(answer.headers.get('deprecation'), null);
    }
  });
});
