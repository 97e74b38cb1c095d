import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseExact } from '../../src/client/response.ts';
import { orderJson } from '../../src/contract/order.ts';
import { petJson } from '../../src/contract/pet.ts';
import { cpuMs } from '../support/measure/cpu-ms.ts';

const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const name = fc
  .string({ unit: 'binary', minLength: 1 })
  .filter((text) => text.isWellFormed() && !text.includes('\0'));

describe('parseExact', () => {
  it('reads what the contract writes, digit by digit', () => {
    const pet = fc.record({
      id: int64,
      name: fc.oneof(name, int64.map(String), fc.constantFrom('"', '\\', '\\"', '\\\\', '9007199254740993"')),
      categoryId: int64,
      status: fc.constantFrom('available', 'pending', 'sold'),
    });
    fc.assert(
      fc.property(fc.array(pet), (pets) =>
        assert.deepEqual(
          parseExact(`[${pets.map(petJson).join()}]`),
          pets.map((one) => ({ ...one })),
        ),
      ),
      { numRuns: 500 },
    );
    const time = '2026-11-15T12:00:00.000Z';
    const order = {
      id: 2n ** 63n - 1n,
      petId: -(2n ** 63n),
      status: 'placed',
      createdAt: time,
      updatedAt: time,
    } as const;
    assert.deepEqual(parseExact(orderJson(order)), order);
  });

  it('agrees with JSON.parse on everything but integers', () => {
    const isPlain = (value: unknown): boolean =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).every(([key, item]) => !key.startsWith('\0') && isPlain(item))
        : !(typeof value === 'string' && value.startsWith('\0')) && !Number.isInteger(value);
    fc.assert(
      fc.property(fc.jsonValue().filter(isPlain), (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(parseExact(text), JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });

  it('rejects what is not JSON, also where quotes around a number would make it JSON', () => {
    for (const text of [
      '',
      '{1234567890123456:1}',
      '[01234567890123456]',
      '["1234567890123456]',
      '[1234567890123456',
      '[1 2]',
    ]) {
      assert.throws(() => parseExact(text), SyntaxError, text);
      assert.throws(() => JSON.parse(text), SyntaxError, text);
    }
  });

  const shapes: Record<string, (n: number) => string> = {
    'a string of escaped quotes': (n) => `"${'\\"'.repeat(n)}"`,
    'a long number and many short ones': (n) => `[${'1'.repeat(30)}${',1'.repeat(n)}]`,
    'only quotes': (n) => '"'.repeat(2 * n + 1),
    'only backslashes': (n) => '\\'.repeat(n),
  };
  for (const [what, shape] of Object.entries(shapes)) {
    it(`takes time in proportion to the text: ${what}`, () => {
      // Sixteen times the text takes about 16 times as long when parsing is linear, and 256 times when it is quadratic.
      const growth = cpuMs(parseExact, shape(80_000)) / cpuMs(parseExact, shape(5000));
      assert.ok(growth <= 64, `${growth} times`);
    });
  }
});
