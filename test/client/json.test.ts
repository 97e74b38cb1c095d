import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseExact } from '../../src/client/response.ts';
import { orderJson } from '../../src/contract/order.ts';
import { petJson } from '../../src/contract/pet.ts';
import { clientOf } from './support/client.ts';

const int64 = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);
const name = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.isWellFormed());

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

  it('makes the client refuse a runtime that does not give the source text', (t) => {
    t.mock.method(JSON, 'parse', (_: string, revive: (...given: unknown[]) => unknown) => revive('', 0));
    const expected = { name: 'AnimalStoreError', code: 'unsupported_runtime' };
    assert.throws(() => clientOf('http://localhost/v1'), expected);
  });

  it('agrees with JSON.parse on everything but integers', () => {
    const isPlain = (value: unknown): boolean =>
      typeof value === 'object' && value !== null
        ? Object.values(value).every(isPlain)
        : !Number.isInteger(value);
    fc.assert(
      fc.property(fc.jsonValue().filter(isPlain), (value) => {
        const text = JSON.stringify(value);
        assert.deepEqual(parseExact(text), JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });
});
