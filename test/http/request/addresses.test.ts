import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainAddress } from '../../../src/http/server/exchange.ts';

describe('plainAddress', () => {
  it('shows an IPv4 address the same way on every socket, and changes no other', () => {
    assert.equal(plainAddress('::ffff:192.0.2.1'), '192.0.2.1');
    for (const address of ['192.0.2.1', '2001:db8::1', '::1', '::ffff:0:1', '']) {
      assert.equal(plainAddress(address), address);
    }
  });
});
