import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { addPet, etagOf } from './support.ts';

const service = await startServiceForFile();

describe('PATCH /v1/pets/{petId}', () => {
  it('changes the given fields, and returns the animal with its new ETag', async () => {
    const { path, id, answer } = await addPet(service);
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
    const { path, id } = await addPet(service);
    const { text } = await service.call('PATCH', path, { raw: '{"categoryId":9007199254740993}' });
    assert.equal(text, `{"id":${id},"name":"Rex","categoryId":9007199254740993,"status":"available"}`);
  });

  it('names every problem at once, and changes nothing', async () => {
    const { path, answer } = await addPet(service);
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
    const { path, answer } = await addPet(service);
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
    const { path } = await addPet(service);
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
    const { path } = await addPet(service);
    const options = await service.call('OPTIONS', path, { key: null });
    assert.equal(options.headers.get('accept-patch'), 'application/merge-patch+json, application/json');
    assert.notEqual((await service.call('GET', path)).headers.get('deprecation'), null);
    for (const method of ['PATCH', 'DELETE']) {
      const answer = await service.call(method, path, method === 'PATCH' ? { body: {} } : {});
      assert.equal(answer.headers.get('deprecation'), null);
    }
  });
});
