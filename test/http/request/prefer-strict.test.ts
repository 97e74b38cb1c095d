import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { assertError, header } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';

const service = await startServiceForFile();
const strictly = { headers: { prefer: 'handling=strict' } };
const REX = { name: 'Rex', categoryId: 7 };

const listWith = (prefer: readonly string[]) =>
  rawRequest(service.port, 'GET /v1/pets?colour=red', [
    AUTHORIZED,
    ...prefer.map((line) => `Prefer: ${line}`),
  ]);

describe('Prefer: handling=strict', () => {
  before(() => service.call('POST', '/v1/pets', { body: REX }));

  const asked = {
    'on its own': ['handling=strict'],
    quoted: ['handling="strict"'],
    'in another case': ['Handling=strict'],
    'with white space': ['handling = strict'],
    'before other preferences': ['handling=strict, respond-async, wait=100'],
    'after other preferences': ['respond-async, wait=100, handling=strict'],
    'after a tab': ['respond-async,\thandling=strict'],
    'between empty elements': [', ,handling=strict,'],
    'with a parameter': ['handling=strict; why="to be, sure"'],
    'in a second header': ['respond-async', 'handling=strict'],
    'after a quoted comma': ['note="a, b", handling=strict'],
    'when it is the first of two values': ['handling=strict, handling=lenient'],
  };
  for (const [how, prefer] of Object.entries(asked)) {
    it(`is applied ${how}`, async () => {
      const answer = await listWith(prefer);
      assert.match(assertError(answer, 400, 'invalid_parameter'), /^colour /);
      assert.equal(header(answer, 'preference-applied'), 'handling=strict');
    });
  }

  const notAsked = {
    'without the header': [],
    'when it is lenient': ['handling=lenient'],
    'with another value': ['handling=strictly'],
    'without a value': ['handling'],
    'as a bare word': ['strict'],
    'as a parameter of another preference': ['respond-async; handling=strict'],
    'inside a quoted value': ['note="a, handling=strict"'],
    'when an earlier one is lenient': ['handling=lenient, handling=strict'],
    'under another name': ['mishandling=strict'],
  };
  for (const [how, prefer] of Object.entries(notAsked)) {
    it(`is not applied ${how}`, async () => {
      const answer = await listWith(prefer);
      assert.equal(answer.status, 200, answer.body);
      assert.equal(header(answer, 'preference-applied'), undefined);
    });
  }

  it('is confirmed by Preference-Applied in successful responses', async () => {
    const answers = [
      await service.call('GET', '/v1/pets?limit=1&status=available', strictly),
      await service.call('HEAD', '/v1/pets', strictly),
      await service.call('GET', '/v1/pets/1', strictly),
      await service.call('POST', '/v1/pets', { body: { ...REX, status: 'sold' }, ...strictly }),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 201],
    );
    for (const { headers } of answers) assert.equal(headers.get('preference-applied'), 'handling=strict');
  });

  it('refuses unknown query parameters of every operation, and names them all', async () => {
    const requests = [
      ['GET', '/v1/pets?limit=1&colour=red&size', undefined],
      ['GET', '/v1/pets/1?colour=red&size=2', undefined],
      ['POST', '/v1/pets?colour=red&size=2', REX],
    ] as const;
    for (const [method, path, body] of requests) {
      const message = assertError(
        await service.call(method, path, { body, ...strictly }),
        400,
        'invalid_parameter',
      );
      assert.match(message, /colour .*size /);
      assert.doesNotMatch(message, /limit/);
    }
  });

  it('refuses unknown body fields, and names them all together with the other problems', async () => {
    const raw = '{"id":1,"categoryId":"7","__proto__":{},"constructor":1,"tags":[]}';
    const answer = await service.call('POST', '/v1/pets?colour=red', { raw, ...strictly });
    const message = assertError(answer, 400, 'invalid_request');
    for (const name of ['id', 'name', 'categoryId', '__proto__', 'constructor', 'tags', 'colour']) {
      assert.match(message, new RegExp(`(?:^|; )${name} `));
    }
    assert.equal(answer.headers.get('preference-applied'), 'handling=strict');
  });

  it('is required for that: without it, the same body and query are accepted', async () => {
    const answer = await service.call('POST', '/v1/pets?colour=red', { body: { ...REX, id: 1, tags: [] } });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers.get('preference-applied'), null);
  });
});
