import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as v from 'valibot';
import { INT64_MAX, INT64_MIN, Int64 } from '../../src/contract/int64.ts';
import { jsonWriter, parseJson } from '../../src/contract/json.ts';
import { inventoryJson, orderJson } from '../../src/contract/order.ts';
import { type Pet, petJson } from '../../src/contract/pet.ts';

const rex: Pet = { id: 1n, name: 'Rex', categoryId: INT64_MIN, status: 'available' };
const time = '2026-11-15T09:00:00.123Z';

describe('The JSON writer of a schema', () => {
  it('writes the fields of the schema, in its order, and no others', () => {
    const { status, name, categoryId, id } = rex;
    const shuffled = { status, secret: 'x', name, categoryId, id };
    assert.equal(petJson(shuffled), `{"id":1,"name":"Rex","categoryId":${INT64_MIN},"status":"available"}`);
    assert.equal(
      orderJson({ id: 1n, petId: INT64_MAX, status: 'placed', createdAt: time, updatedAt: time }),
      `{"id":1,"petId":${INT64_MAX},"status":"placed","createdAt":"${time}","updatedAt":"${time}"}`,
    );
    assert.equal(
      inventoryJson({ available: 1n, pending: 0n, sold: 2n ** 53n + 1n }),
      '{"available":1,"pending":0,"sold":9007199254740993}',
    );
  });

  it('writes text that parses to the same animal, whatever its name', () => {
    const anyPet = fc.record(
      {
        id: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
        name: fc.string({ unit: 'binary', minLength: 1 }),
        categoryId: fc.bigInt({ min: INT64_MIN, max: INT64_MAX }),
        status: fc.constantFrom('available', 'pending', 'sold'),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(anyPet, (pet) => {
        const read = parseJson(petJson(pet)) as Record<string, unknown>;
        assert.deepEqual(
          { ...read, id: BigInt(read.id as number), categoryId: BigInt(read.categoryId as number) },
          pet,
        );
      }),
    );
  });

  it('omits an optional field that is absent', () => {
    const write = jsonWriter(v.object({ id: Int64, nick: v.optional(v.string()), size: v.optional(Int64) }));
    assert.equal(write({ id: 1n }), '{"id":1}');
    assert.equal(write({ id: 1n, nick: '' }), '{"id":1,"nick":""}');
    assert.equal(write({ id: 1n, size: 0n }), '{"id":1,"size":0}');
    assert.equal(write({ id: 1n, nick: '"', size: 3n }), '{"id":1,"nick":"\\"","size":3}');
  });

  it('throws at start-up for a schema that it cannot write', () => {
    assert.throws(() => jsonWriter(v.object({ list: v.array(v.string()) })), /no JSON writer for list/);
    assert.throws(() => jsonWriter(v.object({ nick: v.optional(v.string()) })), /cannot be optional/);
  });
});
