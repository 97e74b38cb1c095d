import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertError, header } from '../../support/assert.ts';
import { linkOf } from '../../support/links.ts';
import { type Answer, type Service, startService } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';
import type { RawAnswer } from '../../support/wire/socket.ts';

const service = await startServiceForFile();
const REX = '{"id":1,"name":"Rex","categoryId":7,"status":"available"}';

const addRex = ({ call }: Service) => call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7 } });

function assertDeprecated(answer: Answer | RawAnswer): void {
  assert.equal(header(answer, 'deprecation'), '@1794614400');
  assert.equal(header(answer, 'sunset'), 'Thu, 05 Dec 2030 00:00:00 GMT');
  assert.equal(linkOf(answer, 'successor-version', '/v1/pets/1'), '/v1/pets');
  assert.equal(linkOf(answer, 'deprecation', '/v1/pets/1'), '/openapi.json');
}

describe('GET /v1/pets/{petId}', () => {
  before(() => addRex(service));

  const integers = '2 0 -1 9223372036854775807 -9223372036854775808 9223372036854775808 -9223372036854775809';
  const others =
    "abc 1.0 1e0 +1 007 01 -0 0x1 1%20 %201 1,2 1;x 1' %zz 1% %00 1%00 %FF 1%2F __proto__ %D9%A1 1%0A";
  it('answers 404 for what is not the id of an animal', async () => {
    for (const petId of [...`${integers} ${others}`.split(' '), '9'.repeat(300), 'x'.repeat(300)]) {
      const answer = await rawRequest(service.port, `GET /v1/pets/${petId}`, [AUTHORIZED]);
      assertError(answer, 404, 'pet_not_found');
      assertDeprecated(answer);
    }
  });

  it('has the deprecation headers also in a 401, a 400 and a response to HEAD', async () => {
    const unauthorized = await service.call('GET', '/v1/pets/1', { key: null });
    assertError(unauthorized, 401, 'unauthorized');
    assertDeprecated(unauthorized);

    const twoHosts = await rawRequest(service.port, 'GET /v1/pets/1', [AUTHORIZED, 'Host: again']);
    assertError(twoHosts, 400, 'bad_request');
    assertDeprecated(twoHosts);

    for (const [petId, status] of [
      ['1', 200],
      ['2', 404],
    ] as const) {
      const head = await service.call('HEAD', `/v1/pets/${petId}`);
      assert.equal(head.status, status);
      assert.equal(head.text, '');
      assertDeprecated(head);
    }
  });
});

describe('GET /v1/pets/{petId} while its removal is rehearsed', () => {
  it('answers 410 with the same headers, after the key check, while other operations work', async (t) => {
    const service = await startService(t, { config: { removeDeprecated: true } });
    assert.equal((await addRex(service)).text, REX);
    for (const petId of ['1', '2', 'abc']) {
      const removed = await service.call('GET', `/v1/pets/${petId}`);
      assertError(removed, 410, 'operation_removed');
      assertDeprecated(removed);
    }
    const head = await service.call('HEAD', '/v1/pets/1');
    assert.equal(head.status, 410);
    assertDeprecated(head);
    assertError(await service.call('GET', '/v1/pets/1', { key: 'wrong' }), 401, 'unauthorized');
    assertError(await service.call('PUT', '/v1/pets/1'), 405, 'method_not_allowed');
    assert.equal((await service.call('GET', '/v1/pets')).text, `[${REX}]`);
    assert.equal((await service.call('GET', '/healthz', { key: null })).status, 200);
  });
});
