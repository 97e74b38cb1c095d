import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';

const service = await startServiceForFile();

describe('A query parameter with another spelling of a known name', () => {
  const misspelt: Record<string, string> = {
    '/v1/pets?id[]=1&id[]=2': 'id[] must be written id.',
    '/v1/pets?id%5B%5D=1': 'id[] must be written id.',
    '/v1/pets?id%5b%5d=1&limit=5': 'id[] must be written id.',
    '/v1/pets?Status=sold': 'Status must be written status.',
    '/v1/pets?%53tatus=sold': 'Status must be written status.',
    '/v1/pets?LIMIT=5&status[]=sold': 'LIMIT must be written limit; status[] must be written status.',
    '/v1/pets?Cursor=x': 'Cursor must be written cursor.',
    '/v1/store/orders?STATUS=placed': 'STATUS must be written status.',
    '/v1/store/orders?limit[]=5': 'limit[] must be written limit.',
  };
  for (const [target, message] of Object.entries(misspelt)) {
    it(`is refused with an error that names the right spelling: ${target}`, async () => {
      assert.equal(assertError(await service.call('GET', target), 400, 'invalid_parameter'), message);
    });
  }

  it('is accepted when it is only percent-encoded', async () => {
    assert.equal((await service.call('GET', '/v1/pets?%73tatus=sold')).status, 200);
    assertError(await service.call('GET', '/v1/pets?%73tatus=gone'), 400, 'invalid_parameter');
  });

  it('is ignored when the name is a different one or the operation has no such parameter', async () => {
    for (const target of ['/v1/pets?state=sold', '/v1/pets?status[0]=x', '/v1/store/orders?ID=1']) {
      assert.equal((await service.call('GET', target)).status, 200, target);
    }
    assert.equal((await service.call('GET', '/v1/store/inventory?Status=sold')).status, 200);
  });
});
