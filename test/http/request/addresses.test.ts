import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkOf, plainAddress } from '../../../src/http/received-request.ts';

describe('networkOf', () => {
  it('takes an IPv6 network of 64 bits for one client', () => {
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), networkOf('2001:db8:1:2::1'));
    assert.notEqual(networkOf('2001:db8:1:2::1'), networkOf('2001:db8:1:3::1'));
    assert.equal(networkOf('2001:db8::1'), networkOf('2001:db8:0:0:9::'));
  });

  it('takes each IPv4 address for a client, also on a socket for IPv6', () => {
    assert.notEqual(networkOf('192.0.2.1'), networkOf('192.0.2.2'));
    assert.equal(networkOf('::ffff:1.2.3.4'), '1.2.3.4');
    assert.notEqual(networkOf('::ffff:1.2.3.4'), networkOf('::ffff:1.2.3.5'));
  });
});

describe('plainAddress', () => {
  it('shows an IPv4 address the same way on every socket, and changes no other', () => {
    assert.equal(plainAddress('::ffff:192.0.2.1'), '192.0.2.1');
    for (const address of ['192.0.2.1', '2001:db8::1', '::1', '::ffff:0:1', '']) {
      assert.equal(plainAddress(address), address);
    }
  });
});
