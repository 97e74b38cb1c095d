import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import type { Answer } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';

const service = await startServiceForFile();

/** Adds an animal: Rex in category 7, unless told. */
async function addPet(body: object = {}) {
  const answer = await service.call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7, ...body } });
  const { id } = answer.json as { id: bigint };
  return { path: `/v1/pets/${id}`, id, answer };
}

const etagOf = ({ headers }: Answer): string => headers.get('etag') ?? '';

describe('PATCH /v1/pets/{petId}', () => {
  it('changes the given fields, and returns the animal with its new ETag', async () => {
    const { path, id, answer } = await addPet();
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

  it('names every problem at once, and changes nothing', async () => {
    const { path, answer } = await addPet();
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

  it('refuses a body of unknown fields alone, and names the known ones', async () => {
    const { path, answer } = await addPet();
    for (const [raw, sent] of [
      ['{"nmae":"Max"}', 'nmae is'],
      ['{"nmae":"Max","__proto__":{"name":"Max"}}', 'nmae, __proto__ are'],
      [`{"${'x'.repeat(60_000)}":1}`, `${'x'.repeat(40)} is`],
    ] as const) {
      const refused = await service.call('PATCH', path, { raw });
      assert.equal(
        assertError(refused, 400, 'invalid_request'),
        `${sent} not known here: send name, categoryId or status.`,
      );
    }
    const same = await service.call('PATCH', path, { body: { nmae: 'Max', name: 'Rex' } });
    assert.deepEqual([same.status, same.text], [200, answer.text]);
  });

  it('accepts a merge patch and plain JSON, and names both when it gets another type', async () => {
    const { path } = await addPet();
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

  it('answers 404 for what is no animal', async () => {
    for (const petId of ['0', 'abc', '9223372036854775808', 'batch'])
      assertError(await service.call('PATCH', `/v1/pets/${petId}`, { body: {} }), 404, 'pet_not_found');
  });
});

describe('The path of an animal', () => {
  it('names the types of a correction, and is deprecated for GET and HEAD only', async () => {
    const { path } = await addPet();
    const options = await service.call('OPTIONS', path, { key: null });
    assert.equal(options.headers.get('accept-patch'), 'application/merge-patch+json, application/json');
    assert.notEqual((await service.call('GET', path)).headers.get('deprecation'), null);
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await service.call(method, path, method === 'PATCH' ? { body: {} } : {});
      assert.equal(answer.headers.get('deprecation'), null);
    }
  });
});

describe('DELETE /v1/pets/{petId}', () => {
  it('removes the animal; restore brings it back', async () => {
    const { path, answer } = await addPet({ status: 'sold' });
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
});

describe('DELETE /v1/pets/{petId}?reason=', () => {
  it('refuses a reason that is none, or too long, and removes nothing', async () => {
    const { path } = await addPet();
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
    const { path, answer } = await addPet();
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
    const two = ['If-None-Match: "x"', `If-None-Match: ${tag}`];
    assert.equal((await rawRequest(service.port, `GET ${path}`, [AUTHORIZED, ...two])).status, 304);
  });

  it('change and remove only what the client knows; a weak tag never matches', async () => {
    const { path, answer } = await addPet();
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
    const { path } = await addPet();
    for (const sent of ['abc', '"abc', 'W/abc', '"a" b', '"a" "b"', '"a""b"', 'w/"a"', '*, "a"', ','])
      for (const name of ['If-Match', 'If-None-Match']) {
        const refused = await service.call('GET', path, { headers: { [name]: sent } });
        assertError(refused, 400, 'invalid_parameter');
        assert.match(refused.text, new RegExp(`${name} must be \\* or a list`));
      }
  });
});
