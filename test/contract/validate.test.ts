import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { eventId } from '../../src/contract/event-id.ts';
import { parseJson } from '../../src/contract/json.ts';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/contract/operations/all.ts';
import { NewPet, NewPets } from '../../src/contract/pet.ts';
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

  it('says that a missing field is required, and what an invalid one must be', () => {
    assert.deepEqual(validate(NewPet, {}).problems, ['name is required', 'categoryId is required']);
    const { problems } = validate(NewPet, { name: 5, categoryId: '5', status: 'gone' });
    for (const problem of problems) assert.match(problem, /^(?:name|categoryId|status) must be \S/);
    assert.equal(problems.length, 3);
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

  it('ignores inherited fields', () => {
    const body = parseJson('{"__proto__":{"name":"Rex","categoryId":7}}');
    assert.deepEqual(validate(NewPet, body).problems, ['name is required', 'categoryId is required']);
  });

  it('names what in a list is no object, and what is no list', () => {
    const rex = { name: 'Rex', categoryId: 7 };
    const problemsOf = (pets: unknown) => validate(NewPets, { pets }).problems;
    for (const pets of [5, 'Rex', {}, null])
      assert.deepEqual(problemsOf(pets), ['pets must be a list of animals']);
    assert.deepEqual(problemsOf([null, rex, 'Rex']), [
      'pets[0] must be a JSON object',
      'pets[2] must be a JSON object',
    ]);
  });

  it('accepts only an object', () => {
    for (const input of [null, 5, 5n, 'Rex', true, [], [{ name: 'Rex', categoryId: 7 }], undefined]) {
      assert.deepEqual(validate(NewPet, input).problems, ['the body must be a JSON object']);
    }
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

  it('ignores any other unknown parameter', () => {
    const { query } = operations.listPets;
    for (const name of [
      'state',
      'statu',
      'status[0]',
      'status[][]',
      '[]',
      'ids',
      ' id',
      '__proto__',
      'constructor',
    ]) {
      const input = JSON.parse(`{${JSON.stringify(name)}:"sold"}`);
      assert.deepEqual(validate(query, input), { value: { limit: 20 }, problems: [] });
    }
  });

  it('reports a misspelt parameter together with every other problem', () => {
    const { problems } = validate(operations.listPets.query, { limit: '0', Status: 'sold', status: 'gone' });
    assert.deepEqual(
      problems.map((problem) => problem.split(' ', 1)[0]),
      ['limit', 'status', 'Status'],
    );
  });
});
