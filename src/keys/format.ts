import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'anst_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARS = 30;
const CHECK_CHARS = 6;

/** A new key: a prefix that secret scanners can find, 178 random bits, and check characters. */
export function generateKey(): string {
  const random = Array.from({ length: RANDOM_CHARS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return withCheck(PREFIX + random);
}

/** `foreign` without the prefix of our keys, `mistyped` if the check characters do not match, otherwise `right`. */
export function checkKey(text: string): 'right' | 'mistyped' | 'foreign' {
  if (!text.startsWith(PREFIX)) return 'foreign';
  return withCheck(text.slice(0, -CHECK_CHARS)) === text ? 'right' : 'mistyped';
}

/** What is stored in place of a key, and what it is looked up by. */
export function digestOf(key: string): string {
  return hash('sha256', key, 'hex');
}

function withCheck(text: string): string {
  let check = '';
  for (let rest = crc32(text); check.length < CHECK_CHARS; rest = Math.floor(rest / ALPHABET.length)) {
    check = `${ALPHABET[rest % ALPHABET.length]}${check}`;
  }
  return text + check;
}
