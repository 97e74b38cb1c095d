import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startService } from '../support/service.ts';

describe('POST /v1/pets', () => {
  it('answers 201 with the created animal and its id', async (t) => {
    const service = await startService(t);
    const answer = await service.call('POST', '/v1/pets', {
      body: { name: 'Rex', categoryId: 7, status: 'sold' },
    });
    assert.equal(answer.status, 201);
    assert.equal(answer.text, '{"id":1,"name":"Rex","categoryId":7,"status":"sold"}');
  });
});
