import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { eventId } from '../../src/contract/event-id.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations/all.ts';
import { NewPet } from '../../src/contract/pet.ts';
import { type Fields, validate } from '../../src/contract/validate.ts';

const MISSING = Symbol('missing');

const fields = {
  name: {
    good: ['Rex', ' a ', '🐶'.repeat(1000), '\u0001'],
    bad: [
      MISSING,
      '',
      ' ',
      '\t\u00a0\u2003',
      'a\0b',
      '\ud83d',
      'x'.repeat(1001),
      '🐶'.repeat(1001),
      5,
      true,
      null,
      ['Rex'],
      {},
    ],
  },
  categoryId: {
    good: [0, -5, 2 ** 53 - 1, 7n, 2n ** 63n - 1n, -(2n ** 63n)],
    bad: [
      MISSING,
      '5',
      '',
      true,
      null,
      1.5,
      NaN,
      Infinity,
      2 ** 53,
      2n ** 63n,
      -(2n ** 63n) - 1n,
      [],
      [7],
      {},
    ],
  },
  status: {
    good: [MISSING, 'available', 'pending', 'sold'],
    bad: ['', 'Sold', 'sold ', 'gone', null, 1, true, ['sold'], {}],
  },
};
type Field = keyof typeof fields;

/** The value of one field, and whether it is valid. */
const anyChoice = (field: Field) =>
  fc.oneof(
    fc.constantFrom<unknown>(...fields[field].good).map((value) => ({ field, value, good: true })),
    fc.constantFrom<unknown>(...fields[field].bad).map((value) => ({ field, value, good: false })),
  );
const anyChoices = fc
  .tuple(anyChoice('name'), anyChoice('categoryId'), anyChoice('status'))
  .chain((choices) => fc.shuffledSubarray(choices, { minLength: 3 }));

const anyUnknown = fc.uniqueArray(
  fc
    .oneof(fc.constantFrom('id', 'Name', 'photoUrls', '__proto__', 'constructor', 'toString'), fc.string())
    .filter((key) => !Object.hasOwn(fields, key)),
);

function bodyOf(choices: readonly { field: string; value: unknown }[]): object {
  const body = {};
  for (const { field, value } of choices) {
    // Like JSON.parse, which treats `__proto__` as an ordinary field.
    if (value !== MISSING)
      Object.defineProperty(body, field, { value, enumerable: true, configurable: true });
  }
  return body;
}

describe('validate', () => {
  it('names every bad field at once and no other, each at the beginning of its phrase', () => {
    fc.assert(
      fc.property(anyChoices, anyUnknown, (choices, unknown) => {
        const body = bodyOf([...choices, ...unknown.map((field) => ({ field, value: 1 }))]);
        const { value, problems } = validate(NewPet, body);
        const bad: string[] = choices.filter(({ good }) => !good).map(({ field }) => field);
        assert.equal(problems.length, bad.length, problems.join());
        for (const field of bad)
          assert.ok(
            problems.some((text) => text.startsWith(`${field} `)),
            field,
          );
        assert.equal(value === undefined, bad.length > 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('accepts valid fields exactly, adds a missing status, and drops unknown fields', () => {
    fc.assert(
      fc.property(anyChoices, anyUnknown, (choices, unknown) => {
        fc.pre(choices.every(({ good }) => good));
        const known = bodyOf(choices) as { categoryId: number | bigint };
        const body = bodyOf([...choices, ...unknown.map((field) => ({ field, value: {} }))]);
        const { value } = validate(NewPet, body);
        assert.deepEqual(value, { status: 'available', ...known, categoryId: BigInt(known.categoryId) });
      }),
    );
  });
});

describe('validate of a query', () => {
  /** Every query parameter of every operation, with a value that is accepted. */
  const parameters = Object.values<Operation>(operations).flatMap(({ id, query }) =>
    Object.keys(query?.entries ?? {}).map((name) => ({ id, query: query as Fields, name })),
  );
  const valid: Record<string, string> = {
    limit: '5',
    cursor: 'a'.repeat(16),
    after: eventId({ id: 1n, at: new Date(0) }),
    id: '7',
    categoryId: '7',
    petId: '7',
    removed: 'true',
    completedFrom: '2026-11-17T00:00:00+01:00',
    completedBefore: '2026-11-17T00:00:00.123Z',
    type: 'order.completed',
    order: 'newest',
  };
  const acceptedValue = (id: string, name: string) =>
    valid[name] ?? (id === 'listOrders' ? 'placed' : 'sold');

  it('accepts every parameter, and names it when it is spelled differently', () => {
    for (const { id, query, name } of parameters) {
      const value = acceptedValue(id, name);
      assert.deepEqual(validate(query, { [name]: value }).problems, [], `${id} ${name}`);
      const capital = (name[0] ?? '').toUpperCase() + name.slice(1);
      for (const given of [capital, name.toUpperCase(), `${name}[]`, `${capital}[]`])
        assert.deepEqual(validate(query, { [given]: value }).problems, [`${given} must be written ${name}`]);
    }
    assert.ok(parameters.length > 20, `${parameters.length} parameters`);
  });
});
