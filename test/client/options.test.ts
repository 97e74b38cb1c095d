import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnimalStore } from '../../src/client/index.ts';
import { KEY, startService } from '../support/service/service.ts';

describe('A new client', () => {
  it('rejects options that cannot work, in one line', () => {
    const good = { baseUrl: 'http://127.0.0.1/v1', apiKey: 'some-key' };
    const bad: [string, object][] = [
      ['baseUrl', { baseUrl: 'not a url' }],
      ['baseUrl', { baseUrl: 'ftp://shop.example/v1' }],
      ['baseUrl', { baseUrl: 'http://shop.example/v1?x=1' }],
      ['baseUrl', { baseUrl: 'http://user:secret@shop.example/v1' }],
      ['baseUrl', { baseUrl: 'http://:secret@shop.example/v1' }],
      ['apiKey', { apiKey: '' }],
      ['apiKey', { apiKey: 'secret\n' }],
      ['apiKey', { apiKey: undefined }],
      ['timeoutMs', { timeoutMs: 0 }],
      ['timeoutMs', { timeoutMs: 2 ** 31 }],
      ['maxRetries', { maxRetries: -1 }],
    ];
    for (const [name, options] of bad) {
      assert.throws(
        () => new AnimalStore({ ...good, ...options }),
        (error: Error) => {
          assert.match(error.message, new RegExp(`^${name} must be [^\n]+$`));
          assert.doesNotMatch(error.message, /secret/);
          return 'code' in error && error.code === 'invalid_argument';
        },
      );
    }
  });

  it('accepts a base address with or without a slash at its end, and as a URL', async (t) => {
    const service = await startService(t);
    for (const baseUrl of [
      `${service.origin}/v1/`,
      `${service.origin}/v1?`,
      `${service.origin}/v1#`,
      new URL(`${service.origin}/v1`),
    ]) {
      const { items } = await new AnimalStore({ baseUrl, apiKey: KEY }).listPets({
        limit: 1,
      });
      assert.deepEqual(items, []);
    }
  });
});
