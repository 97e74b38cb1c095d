import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../src/contract/errors.ts';
import { Metrics } from '../../../src/metrics/metrics.ts';
import type { Store } from '../../../src/store/store.ts';
import { assertError } from '../../support/assert.ts';
import { linesOf, settleLog } from '../../support/service/log.ts';
import { startService } from '../../support/service/service.ts';

const replace = (methods: Partial<Store>) => (store: Store) => Object.assign(Object.create(store), methods);

describe('an internal error', () => {
  const faults: [string, Partial<Store>][] = [
    ['a rejection', { getPet: () => Promise.reject(new Error('secret detail')) }],
    [
      'an exception',
      {
        getPet() {
          throw new TypeError('secret detail');
        },
      },
    ],
    ['a value that is not an Error', { getPet: () => Promise.reject('secret detail') }],
    [
      'a value of the wrong shape',
      {
        getPet: async () =>
          ({
            get name(): string {
              throw new Error('secret detail');
            },
          }) as never,
      },
    ],
  ];
  for (const [what, methods] of faults) {
    it(`is a 500 that reveals no detail, and is logged with its stack: ${what}`, async (t) => {
      const service = await startService(t, { observe: replace(methods) });
      const answer = await service.call('GET', '/v1/pets/1');
      assert.doesNotMatch(assertError(answer, 500, 'internal_error'), /secret/);
      const lines = await linesOf(service, answer);
      const fault = lines.find(({ level }) => level === 50);
      assert.match(JSON.stringify(fault), /secret detail/);
      if (what !== 'a value that is not an Error') assert.match(JSON.stringify(fault), /faults\.test\.ts/);
      assert.equal((await service.call('GET', '/v1/pets')).status, 200);
    });
  }
});

describe('an exception before the first stage', () => {
  it('is a 500, too, and the service goes on', async (t) => {
    const metrics = new Metrics();
    const service = await startService(t, { metrics });
    const { started } = metrics.requests;
    metrics.requests.started = () => {
      metrics.requests.started = started;
      throw new Error('secret detail');
    };
    const answer = await service.call('GET', '/v1/pets');
    assert.doesNotMatch(assertError(answer, 500, 'internal_error'), /secret/);
    assert.match(JSON.stringify(service.log), /secret detail/);
    assert.equal((await service.call('GET', '/v1/pets')).status, 200);
  });
});

describe('an outage', () => {
  it('is logged at most once a second, not once per refused request', async (t) => {
    const outage = () =>
      Promise.reject(
        new ApiError('unavailable', 'The database cannot be reached.', { cause: new Error('down') }),
      );
    const service = await startService(t, { observe: replace({ getPet: outage }) });
    const started = performance.now();
    for (let n = 0; n < 200; n++) assertError(await service.call('GET', '/v1/pets/1'), 503, 'unavailable');
    await settleLog(service);
    const seconds = Math.ceil((performance.now() - started) / 1000);
    const faults = service.log.filter(({ level }) => level === 50);
    assert.ok(faults.length >= 1 && faults.length <= seconds + 1, `${faults.length} lines in ${seconds} s`);
    assert.match(JSON.stringify(faults[0]), /"message":"down"/);
    assert.equal(service.log.filter(({ status }) => status === 503).length, 200);
  });
});
