import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { NewPet, Pet } from '../../src/contract/pet.ts';
import type { Fields } from '../../src/contract/validate.ts';
import { DataError, type Format, formatOf, formats } from '../../src/data/format.ts';
import { readRows } from '../../src/data/read.ts';
import { isValid, type ReadRow } from '../../src/data/row.ts';
import { fileHeader, petRows } from '../../src/data/write.ts';

/** The text as bytes in pieces of a size that cuts through rows and characters. */
async function* inPieces(text: string | Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read<T>(
  text: string | Uint8Array,
  format: Format,
  schema: Fields<T>,
  pieceSize?: number,
): Promise<ReadRow<T>[]> {
  return (await Array.fromAsync(readRows(inPieces(text, pieceSize), format, schema))).flat();
}

const fileOf = (pets: readonly Pet[], format: Format): string => fileHeader(format) + petRows(pets, format);

const int64 = fc.oneof(
  fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n, 0n, -1n),
);
const nasty = fc.constantFrom(
  ...[
    '"',
    "'",
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '\r\n',
    ',',
    ';',
    ' ',
    '🐕',
    '\ufeff',
    '＝',
    '\\',
    'a',
    '\u2028',
    '""',
  ],
);
const petName = fc
  .oneof(
    fc.array(nasty, { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.constantFrom('=HYPERLINK("http://evil.example")', "'=1+1", "''@x", '-', '9007199254740993', 'NULL'),
  )
  .filter((name) => /\P{White_Space}/u.test(name) && name.isWellFormed() && !name.includes('\0'));
const pet = fc.record({
  id: int64,
  name: petName,
  categoryId: int64,
  status: fc.constantFrom('available', 'pending', 'sold'),
});

describe('Exported rows', () => {
  for (const format of formats) {
    it(`are the same animals when they are imported again, as ${format}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(pet, { maxLength: 20 }),
          fc.integer({ min: 1, max: 200 }),
          async (pets, size) => {
            const rows = await read(fileOf(pets, format), format, Pet, size);
            assert.deepEqual(
              rows.map((row) => (isValid(row) ? row.value : row)),
              pets.map((one) => ({ ...one })),
            );
          },
        ),
        { numRuns: 500 },
      );
    });
  }

  it('hold no cell that a spreadsheet runs as a formula', () => {
    fc.assert(
      fc.property(pet, ({ id, name, categoryId, status }) => {
        const line = petRows([{ id, name, categoryId, status }], 'csv');
        const [, cell = ''] = /^-?\d+,"((?:[^"]|"")*)",-?\d+,"\w+"\r\n$/.exec(line) ?? [];
        assert.notEqual(cell, '', line);
        assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/);
      }),
      { numRuns: 1000 },
    );
    const rex = { id: 1n, name: '=1+1', categoryId: -7n, status: 'available' } as const;
    assert.equal(petRows([rex], 'csv'), `1,"'=1+1",-7,"available"\r\n`);
    assert.equal(fileHeader('csv'), '"id","name","categoryId","status"\r\n');
    assert.equal(fileHeader('ndjson'), '');
  });
});

describe('Imported rows', () => {
  const valid = (rows: readonly ReadRow<NewPet>[]) => rows.filter(isValid).map(({ value }) => value);

  it('may come from other programs', async () => {
    const rex = { name: 'Rex', categoryId: 7n, status: 'available' };
    const kit = { name: 'Kit, "the cat"', categoryId: -1n, status: 'sold' };
    const texts: [Format, string][] = [
      ['csv', 'name,categoryId,status\nRex,7,\n"Kit, ""the cat""",-1,sold\n'],
      ['csv', '\ufeffcategoryId,note,name,status\r\n7,x,Rex,available\r\n\r\n-1,,"Kit, ""the cat""",sold'],
      [
        'ndjson',
        '{"name":"Rex","categoryId":7}\n\n{"status":"sold","categoryId":-1.0,"name":"Kit, \\"the cat\\"","x":1}',
      ],
      [
        'ndjson',
        '\ufeff{"name":"Rex","categoryId":7e0}\r\n{"status":"sold","categoryId":-1,"name":"Kit, \\"the cat\\""}\r\n',
      ],
    ];
    for (const [format, text] of texts) {
      const rows = await read(text, format, NewPet);
      assert.deepEqual(valid(rows), [rex, kit], text);
      assert.equal(rows.length, 2);
    }
  });

  it('are each reported with their line and every problem, and can be fixed and imported again', async () => {
    const csv =
      'name,categoryId,status\r\nRex,7,sold\r\n"a\r\nb",x,lost\r\n\r\n"c\nd",9223372036854775808,\r\n,1,\r\ne,1\r\nf,1.0,sold\r\nGood,1,\r\n';
    const integer = 'categoryId must be a whole number from -9223372036854775808 to 9223372036854775807';
    const rows = await read(csv, 'csv', NewPet);
    const invalid = rows.filter((row) => !isValid(row));
    assert.deepEqual(
      invalid.map(({ line, problems }) => [line, ...problems]),
      [
        [3, integer, 'status must be one of available, pending, sold'],
        [6, integer],
        [8, 'name is required'],
        [9, 'the row has 2 cells, the header row has 3'],
        [10, integer],
      ],
    );
    assert.equal(valid(rows).length, 2);
    const rejected = `name,categoryId,status\r\n${invalid.map((row) => ('source' in row ? row.source : '')).join('')}`;
    const fixed = rejected
      .replace('"x","lost"', '2,')
      .replace('9223372036854775808', '3')
      .replace('"","1"', '"Z",1')
      .replace('"e","1"', 'e,1,')
      .replace('1.0', '1');
    assert.deepEqual(
      valid(await read(fixed, 'csv', NewPet)).map(({ name }) => name),
      ['a\r\nb', 'c\nd', 'Z', 'e', 'f'],
    );

    const ndjson =
      '{"name":"Rex"}\n\n{"name":1,"categoryId":"7"}\n{"name":\n[]\n7\n{"name":"Good","categoryId":1}';
    const lines = await read(ndjson, 'ndjson', NewPet);
    assert.deepEqual(
      lines
        .filter((row) => !isValid(row))
        .map((row) => [row.line, 'source' in row && row.source, ...row.problems]),
      [
        [1, '{"name":"Rex"}\n', 'categoryId is required'],
        [3, '{"name":1,"categoryId":"7"}\n', 'name must be text', integer],
        [4, '{"name":\n', 'the line is not valid JSON'],
        [5, '[]\n', 'the line must be a JSON object'],
        [6, '7\n', 'the line must be a JSON object'],
      ],
    );
  });

  it('can be of any nesting without ending the program', async () => {
    const [row] = await read(
      `${'['.repeat(30_000)}1234567890123456789${']'.repeat(30_000)}`,
      'ndjson',
      NewPet,
      1000,
    );
    assert.equal(row?.problems.length, 1);
  });

  it('need the id only where ids are kept', async () => {
    const text = 'name,categoryId\nRex,7\n';
    await assert.rejects(
      read(text, 'csv', Pet),
      new DataError('The header row lacks id: the first row must name the columns, separated by commas.'),
    );
    const [row] = await read('{"name":"Rex","categoryId":7}', 'ndjson', Pet);
    assert.deepEqual(row?.problems, ['id is required']);
  });

  const unreadable: Record<string, [Format, string | Uint8Array, RegExp]> = {
    'an empty CSV file': ['csv', '', /^The input is empty/],
    'a header in another case': ['csv', 'name,categoryID\nRex,7', /"categoryID": write categoryId\.$/],
    'a header with spaces': ['csv', 'name, categoryId\nRex,7', /" categoryId": write categoryId\.$/],
    semicolons: ['csv', 'name;categoryId\nRex;7', /lacks name and categoryId: .*separated by commas\.$/],
    'a column twice': ['csv', 'name,categoryId,name\nRex,7,x', /names "name" twice/],
    'a quote that is not closed': [
      'csv',
      'name,categoryId\n"Rex\nthe king",7\n\n"Kit,8\nx,9\n',
      /^Line 5: a quote is missing/,
    ],
    'a quote within a cell': ['csv', 'name,categoryId\nRex "x",7\n', /^Line 2: a quote is missing/],
    'text after a quote': ['csv', 'name,categoryId\n"Rex"x,7\n', /^Line 2: a quote is missing/],
    'an endless row': [
      'csv',
      `name,categoryId\n"${'x'.repeat(70_000)}`,
      /^Line 2: the row is longer than 64 KiB\. Is a quote/,
    ],
    'an endless line': ['ndjson', `{}\n${'x'.repeat(70_000)}`, /^Line 2: the row is longer than 64 KiB\.$/],
    'Latin-1 as CSV': [
      'csv',
      Buffer.from('name,categoryId\nBäri,7\n', 'latin1'),
      /^The input is not UTF-8 text/,
    ],
    'Latin-1 as NDJSON': [
      'ndjson',
      Buffer.from('{}\n{}\n"Bäri"', 'latin1'),
      /^The input is not UTF-8 text, at or soon after line \d: /,
    ],
    'half a character': ['ndjson', Buffer.from('"🐕').subarray(0, 3), /^The input is not UTF-8 text/],
  };
  for (const [what, [format, text, message]] of Object.entries(unreadable)) {
    it(`end in one clear line for ${what}`, async () => {
      for (const size of [1, 7, 100_000]) {
        await assert.rejects(read(text, format, NewPet, size), (error: Error) => {
          assert.ok(error instanceof DataError, String(error));
          assert.match(error.message, message);
          return !error.message.includes('\n');
        });
      }
    });
  }

  it('report an error of the input itself', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('name,categoryId\nRex,7\n');
      throw new Error('EIO');
    };
    for (const format of formats)
      await assert.rejects(Array.fromAsync(readRows(failing(), format, NewPet)), /EIO/);
  });
});

describe('formatOf', () => {
  it('goes by --format, else by the extension', () => {
    assert.equal(formatOf('pets.csv'), 'csv');
    assert.equal(formatOf('pets.NDJSON'), 'ndjson');
    assert.equal(formatOf('pets.jsonl'), 'ndjson');
    assert.equal(formatOf('pets.txt', 'csv'), 'csv');
    assert.equal(formatOf('-', 'ndjson'), 'ndjson');
    assert.throws(
      () => formatOf('-'),
      /^Error: The format of - is not clear from its name: add --format ndjson or --format csv\.$/,
    );
    assert.throws(() => formatOf('pets.csv', 'xml'), /--format must be ndjson or csv, not xml\.$/);
  });
});
