import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseJson } from '../../src/contract/json.ts';
import { shortestMs } from '../support/measure/shortest-ms.ts';

const BODY_BYTES = 64 * 1024;
const ATTEMPTS = 10;

/** A list of 64 KiB. */
function filled(unit: string, last: string, bytes = BODY_BYTES): string {
  const count = Math.floor((bytes - last.length - 2) / (unit.length + 1));
  return `[${`${unit},`.repeat(count)}${last}]`;
}

const numbered = (count: number, value: string) =>
  Array.from({ length: count }, (_, n) => `"${n.toString(36)}":${value}`);

/** Shapes that JSON.parse handles cheaply, each with one number that needs exact parsing. */
const shapes: Readonly<Record<string, (bytes: number) => string>> = {
  'empty objects': (bytes) => filled('{}', '1.0', bytes),
  'empty lists': (bytes) => filled('[]', '1.0', bytes),
  'empty strings': (bytes) => filled('""', '1.0', bytes),
  'short numbers': (bytes) => filled('1', '1.0', bytes),
  fractions: (bytes) => filled('1.0', '1.0', bytes),
  exponents: (bytes) => filled('1e2', '1.0', bytes),
  'enormous exponents': (bytes) => filled('1e999999999', '1.0', bytes),
  'exponents out of range': (bytes) => filled('1E+400', '1.0', bytes),
  'exponents close to zero': (bytes) => filled('1e-400', '1.0', bytes),
  'negative exponents': (bytes) => filled('100e-2', '1.0', bytes),
  'zeros with an exponent': (bytes) => filled('0e9999', '1.0', bytes),
  'long numbers': (bytes) => filled('9223372036854775807', '1.0', bytes),
  'objects with a member': (bytes) => filled('{"a":1}', '1.0', bytes),
  'one object with many members': (bytes) =>
    `{${[...numbered(Math.floor(bytes / 9), '1'), '"x":1.0'].join(',')}}`,
  'one name many times': (bytes) => `{${'"a":1,'.repeat(bytes / 6 - 4)}"a":1.0}`,
  'one number with many digits': (bytes) => '1'.repeat(bytes),
  'one fraction with many digits': (bytes) => `1.${'0'.repeat(bytes - 2)}`,
  'one string of escapes': (bytes) => `["${'\\u0031'.repeat(bytes / 6 - 4)}",1.0]`,
  'one string of backslashes': (bytes) => `["${'\\\\'.repeat(bytes / 2 - 8)}",1.0]`,
  'strings of quotes': (bytes) => filled('"\\""', '1.0', bytes),
  'deep lists': (bytes) => `${'['.repeat(bytes / 2 - 4)}1.0${']'.repeat(bytes / 2 - 4)}`,
  'lists that are never closed': (bytes) => `${'['.repeat(bytes - 3)}1.0`,
};

describe('the parse time of a body', () => {
  for (const [what, shape] of Object.entries(shapes)) {
    it(`of 64 KiB is at most a few times that of the simplest one, and linear in its length: ${what}`, (t) => {
      let [simplest, whole, quarter] = [0, 0, 0];
      // Other programs may slow down one of the three: then all are measured again. A costly shape never passes.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        simplest = shortestMs(JSON.parse, filled('{}', '1'));
        whole = shortestMs(parseJson, shape(BODY_BYTES));
        quarter = shortestMs(parseJson, shape(BODY_BYTES / 4));
        if (whole < 8 * simplest && (whole < 10 * quarter || whole < simplest)) break;
      }
      t.diagnostic(
        `${(whole / simplest).toFixed(1)} times the simplest, ${(whole / quarter).toFixed(1)} times a quarter`,
      );
      assert.ok(whole < 8 * simplest, `${whole / simplest} times ${simplest} ms`);
      // Four times the text takes about 4 times as long when parsing is linear, and 16 times when it is quadratic.
      assert.ok(whole < 10 * quarter || whole < simplest, `${whole / quarter} times the cost of a quarter`);
    });
  }
});
