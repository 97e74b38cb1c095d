import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkKey, digestOf, generateKey } from '../../src/keys/format.ts';

const PREFIX = 'anst_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 30;

it('A generated key has a prefix, 30 base62 characters, each of them random, and 6 check characters', () => {
  const keys = Array.from({ length: 5000 }, generateKey);
  assert.equal(new Set(keys).size, keys.length);
  for (const key of keys) {
    assert.match(key, /^anst_[0-9A-Za-z]{36}$/);
    assert.equal(checkKey(key), 'right', key);
  }
  for (let place = 0; place < RANDOM_CHARS; place++) {
    const seen = new Set(keys.map((key) => key[PREFIX.length + place]));
    assert.equal(seen.size, ALPHABET.length, `place ${place}`);
  }
});

describe('checkKey', () => {
  it('detects a character that is wrong, missing, doubled, or swapped with its neighbour', () => {
    const assertMistyped = (text: string) => assert.equal(checkKey(text), 'mistyped', text);
    const key = generateKey();
    for (let i = PREFIX.length; i < key.length; i++) {
      const [a = '', b = ''] = key.slice(i);
      const [before, after] = [key.slice(0, i), key.slice(i + 2)];
      for (const char of `${ALPHABET}-_ é`) if (char !== a) assertMistyped(before + char + b + after);
      assertMistyped(before + b + after);
      assertMistyped(before + a + a + b + after);
      if (b !== '' && a !== b) assertMistyped(before + b + a + after);
    }
    for (const text of [PREFIX, `${PREFIX}x`, `${key}\n`, key.slice(0, 20), key + key]) assertMistyped(text);
  });

  it('takes text without the prefix for that of another service', () => {
    for (const text of ['', 'anst', 'ANST_', ' anst_', generateKey().slice(1)])
      assert.equal(checkKey(text), 'foreign', text);
  });

  it('uses CRC-32 in base62, so that secret scanners can verify it', () => {
    // Computed with Python's zlib.crc32.
    for (const key of [
      'anst_0000000000000000000000000000002jNnP2',
      'anst_0123456789ABCDEFGHIJKLMNOPQRST0KTPJh',
      'anst_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz09L4Tz',
    ])
      assert.equal(checkKey(key), 'right', key);
  });
});

it('digestOf is SHA-256 in hexadecimal', () => {
  assert.equal(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
