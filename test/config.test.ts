import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readConfig, type SettingName, settings, UsageError } from '../src/config.ts';

const all = Object.keys(settings) as SettingName[];

describe('readConfig', () => {
  it('prefers a flag to the environment, and the environment to the default', () => {
    assert.equal(readConfig(all, {}, {}).port, 8080);
    assert.equal(readConfig(all, {}, { PORT: '1' }).port, 1);
    assert.equal(readConfig(all, { port: '2' }, { PORT: '1' }).port, 2);
    assert.equal(readConfig(all, {}, { PORT: '' }).port, 8080, 'an empty variable counts as unset');
    const { port } = readConfig(['host'], {}, { PORT: 'nonsense' });
    assert.equal(port, 8080, 'an unused setting is not validated');
  });

  it('accepts an IPv6 address with or without brackets', () => {
    const hosts = {
      '[::1]': '::1',
      '::1': '::1',
      '[fe80::1%eth0]': 'fe80::1%eth0',
      '0.0.0.0': '0.0.0.0',
      localhost: 'localhost',
      'shop-1.example.com': 'shop-1.example.com',
    };
    for (const [given, host] of Object.entries(hosts))
      assert.equal(readConfig(all, {}, { HOST: given }).host, host);
  });

  it('accepts several words for on and off', () => {
    const { pages, logLevel, removeDeprecated, reusePort } = readConfig(all, {}, {});
    assert.deepEqual(
      { pages, logLevel, removeDeprecated, reusePort },
      { pages: true, logLevel: 'info', removeDeprecated: false, reusePort: false },
    );
    assert.equal(readConfig(all, { pages: 'off' }, {}).pages, false);
    assert.equal(readConfig(all, {}, { LOG_LEVEL: 'warn' }).logLevel, 'warn');
    for (const word of ['true', 'ON', 'constructor', 'toString'])
      assert.throws(() => readConfig(all, { pages: word }, {}), UsageError);
  });

  it('splits API_KEYS at commas', () => {
    const [a, b] = ['a'.repeat(24), 'b'.repeat(40)];
    assert.deepEqual(readConfig(all, {}, { API_KEYS: ` ${a} ,, ${b},` }).apiKeys, [a, b]);
    assert.throws(() => readConfig(all, {}, { API_KEYS: 'a'.repeat(23) }), UsageError);
  });

  it('takes addresses and networks of proxies', () => {
    const proxies = (text: string) => readConfig(all, { 'trust-proxy': text }, {}).trustProxy;
    assert.deepEqual(proxies('10.0.0.0/8, ::1'), ['10.0.0.0/8', '::1']);
    const wrong = 'proxy.example 10.0.0.0/33 ::/129 10.0.0.0/8/8 10.0.0/8 10.0.0.1/ fe80::1%eth0';
    for (const text of wrong.split(' ')) assert.throws(() => proxies(text), UsageError, text);
  });

  it('takes a number of requests and a time as rate limit', () => {
    const limit = (text: string) => readConfig(all, { 'rate-limit': text }, {}).rateLimit;
    assert.equal(readConfig(all, {}, { RATE_LIMIT: '' }).rateLimit, undefined);
    assert.deepEqual(limit('100/60s'), { quota: 100, seconds: 60 });
    assert.deepEqual(limit('5000/2h'), { quota: 5000, seconds: 7200 });
    for (const text of ['100', '0/60s', '100/0s', '100/s', '-1/60s', '1e3/60s', '100/60', '100 / 60s'])
      assert.throws(() => limit(text), UsageError, text);
  });

  it('takes origins as browsers send them, or * alone', () => {
    const origins = (text: string) => readConfig(all, {}, { CORS_ORIGIN: text }).corsOrigin;
    assert.deepEqual(origins(''), []);
    assert.deepEqual(origins('*'), ['*']);
    assert.deepEqual(origins('https://shop.example, http://[::1]:3000'), [
      'https://shop.example',
      'http://[::1]:3000',
    ]);
    // Browsers leave out the default port.
    const wrong =
      'shop.example https://shop.example/ https://Shop.example null *,https://a.b https://shop.example:443';
    for (const text of wrong.split(' ')) assert.throws(() => origins(text), UsageError, text);
  });
});
