import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { assertError } from '../../support/assert.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { wireOf, withCategory, withName } from '../../support/wire/wire.ts';

const service = await startServiceForFile();

async function assertRefused(raw: string, named: RegExp): Promise<void> {
  const answer = await service.call('POST', '/v1/pets', { raw });
  assert.match(assertError(answer, 400, 'invalid_request'), named);
}

describe('categoryId', () => {
  const spellings = [
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['9007199254740993', '9007199254740993'],
    ['0', '0'],
    ['-0', '0'],
    ['1.0', '1'],
    ['1e2', '100'],
    ['100e-2', '1'],
    ['1E+2', '100'],
    ['0.0e400', '0'],
    ['9223372036854775807.000', '9223372036854775807'],
    ['922337203685477580700e-2', '9223372036854775807'],
    ['-9.223372036854775808e18', '-9223372036854775808'],
  ] as const;
  for (const [sent, returned] of spellings) {
    it(`${sent} is returned as ${returned} by create, get and list`, async () => {
      const { rest } = await wireOf(service, withCategory(sent));
      assert.equal(rest, `"name":"Rex","categoryId":${returned},"status":"available"`);
    });
  }

  it('is exact for every int64 in every spelling', async () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const tail = fc.constantFrom('', '.0', 'e0', '.00E+0');
    await fc.assert(
      fc.asyncProperty(int64, tail, async (value, tail) => {
        const { rest } = await wireOf(service, withCategory(`${value}${tail}`));
        assert.match(rest, new RegExp(`"categoryId":${value},`));
      }),
    );
  });

  const notWhole = [
    '"5"',
    '"9007199254740993"',
    'true',
    'null',
    '[]',
    '[5]',
    '{}',
    '1.5',
    '9007199254740993.5',
  ];
  const outOfRange = ['9223372036854775808', '-9223372036854775809', '1e19', '1e400', '-1e400'];
  for (const value of [...notWhole, ...outOfRange, '1e-400']) {
    it(`${value} is refused`, () => assertRefused(withCategory(value), /^categoryId /));
  }
});

describe('name', () => {
  const stored = {
    'a thousand emoji': '🐕'.repeat(1000),
    'one character': 'x',
    'white space around it': ' \t\u00a0Rex\r\n ',
    'quotes, controls and separators': '"\\/\b\u0001\u001f\u007f\u2028\u2029\ufeff',
    'both normal forms': 'Zoe\u0301 Zo\u00e9',
    'joined emoji and text from right to left': '👩‍👩‍👧 كلب \u202e',
    'what looks like SQL or a number': "'); DROP TABLE pets;-- 1e400 9007199254740993",
  };
  for (const [what, name] of Object.entries(stored)) {
    it(`preserves ${what} byte for byte`, async () => {
      const { rest } = await wireOf(service, withName(JSON.stringify(name)));
      assert.equal(rest, `"name":${JSON.stringify(name)},"categoryId":7,"status":"available"`);
    });
  }

  it('preserves any text', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 1000, size: 'max' });
    const names = text.filter((name) => /\S/u.test(name) && !name.includes('\0'));
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const { rest } = await wireOf(service, withName(JSON.stringify(name)));
        assert.equal((JSON.parse(`{${rest}}`) as { name: string }).name, name);
      }),
      // Shrinking a thousand characters over HTTP takes minutes and adds little information.
      { endOnFailure: true },
    );
  });

  const refused = {
    'an empty text': '""',
    'white space only': '" \\t\\r\\n\\u00a0\\u2003\\u3000"',
    NUL: '"a\\u0000b"',
    'a lone high surrogate': '"a\\ud800b"',
    'a lone low surrogate': '"\\udc00"',
    '1,001 characters': JSON.stringify('x'.repeat(1001)),
    '1,001 emoji': JSON.stringify('🐕'.repeat(1001)),
    'a number': '5',
    'a boolean': 'true',
    null: 'null',
    'an array': '["Rex"]',
    'an object': '{"first":"Rex"}',
  };
  for (const [what, name] of Object.entries(refused)) {
    it(`refuses ${what}`, () => assertRefused(withName(name), /^name /));
  }
});
