import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertError, header } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';

describe('Query parameters that an operation does not know', async () => {
  const service = await startServiceForFile();
  const ignored = async (query: string, path = '/v1/pets') =>
    header(await service.call('GET', `${path}${query}`), 'ignored-parameters');

  it('are named in the answer', async () => {
    assert.equal(await ignored('?sort=name&colour=red&limit=5'), 'sort, colour');
    assert.equal(await ignored('?sort=name', '/v1/store/inventory'), 'sort');
    assert.equal(await ignored('?limit=5&status=sold'), undefined);
    assert.equal(await ignored(''), undefined);
  });

  it('are encoded and bounded', async () => {
    assert.equal(await ignored('?a%0D%0Ab=1&%F0%9F%90%95=2&%22,=3'), 'a%0D%0Ab, %F0%9F%90%95, %22%2C');
    const many = Array.from({ length: 500 }, (_, n) => `p${n}=`).join('&');
    assert.equal((await ignored(`?${many}`))?.split(', ').length, 20);
    assert.equal((await ignored(`?${'é'.repeat(300)}=`))?.length, 20 * '%C3%A9'.length);
    assert.equal(await ignored(`?${'x'.repeat(19)}%F0%9F%90%95=`), `${'x'.repeat(19)}%EF%BF%BD`);
  });

  it('are rejected with Prefer: handling=strict', async () => {
    const answer = await service.call('GET', '/v1/pets?sort=name', {
      headers: { prefer: 'handling=strict' },
    });
    assert.match(assertError(answer, 400, 'invalid_parameter'), /sort/);
  });
});
