import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { addPet, etagOf } from './support.ts';

const service = await startServiceForFile();

describe('Conditional requests', () => {
  it('answer 304 to a read of what the client has', async () => {
    const { path, answer } = await addPet(service);
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
    const { path, answer } = await addPet(service);
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
    const { path } = await addPet(service);
    for (const sent of ['abc', '"abc', 'W/abc', '"a" b', '"a" "b"', '"a""b"', 'w/"a"', '*, "a"', ','])
      for (const name of ['If-Match', 'If-None-Match']) {
        const refused = await service.call('GET', path, { headers: { [name]: sent } });
        assertError(refused, 400, 'invalid_parameter');
        assert.match(refused.text, new RegExp(`${name} must be \\* or a list`));
      }
  });
});
