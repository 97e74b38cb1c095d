import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkKey, digestOf, generateKey } from '../../src/keys/format.ts';

const PREFIX = 'anst_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 30;

describe('A generated key', () => {
  const keys = Array.from({ length: 10_000 }, generateKey);

  it('has a prefix, 30 random base62 characters and 6 check characters', () => {
    for (const key of keys) assert.match(key, /^anst_[0-9A-Za-z]{36}$/);
  });

  it('is different each time, and any character can occur at any random position', () => {
    assert.equal(new Set(keys).size, keys.length);
    for (let i = 0; i < RANDOM_CHARS; i++) {
      const seen = new Set(keys.map((key) => key[PREFIX.length + i]));
      assert.equal(seen.size, ALPHABET.length, `place ${i}`);
    }
  });

  it('is right', () => {
    for (const key of keys) assert.equal(checkKey(key), 'right', key);
  });
});

describe('checkKey', () => {
  const assertMistyped = (text: string) => assert.equal(checkKey(text), 'mistyped', text);

  it('detects any one wrong character', () => {
    for (let round = 0; round < 5; round++) {
      const key = generateKey();
      for (let i = PREFIX.length; i < key.length; i++) {
        for (const char of `${ALPHABET}-_ é`) {
          if (char !== key[i]) assertMistyped(key.slice(0, i) + char + key.slice(i + 1));
        }
      }
    }
  });

  it('detects a character that is missing, doubled, or swapped with its neighbour', () => {
    const key = generateKey();
    for (let i = PREFIX.length; i < key.length; i++) {
      const [a = '', b = ''] = key.slice(i);
      const [before, after] = [key.slice(0, i), key.slice(i + 2)];
      assertMistyped(before + b + after);
      assertMistyped(before + a + a + b + after);
      if (b !== '' && a !== b) assertMistyped(before + b + a + after);
    }
    for (const text of [PREFIX, `${PREFIX}x`, `${key}\n`, key.slice(0, 20), key + key]) assertMistyped(text);
  });

  it('takes text that does not start with the key prefix for that of another service', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.startsWith(PREFIX)),
        (text) => checkKey(text) === 'foreign',
      ),
    );
  });

  it('uses CRC-32 in base62, so that secret scanners can verify it', () => {
    // Computed with Python's zlib.crc32.
    const known = [
      'anst_0000000000000000000000000000002jNnP2',
      'anst_0123456789ABCDEFGHIJKLMNOPQRST0KTPJh',
      'anst_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz09L4Tz',
    ];
    for (const key of known) assert.equal(checkKey(key), 'right', key);
  });
});

describe('digestOf', () => {
  it('is SHA-256 in hexadecimal', () => {
    assert.equal(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
