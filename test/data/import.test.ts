import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NewPet, Pet } from '../../src/contract/pet.ts';
import { AddedPet, ChangedPet, KeptPet } from '../../src/data/imported-pet.ts';
import { readRows } from '../../src/data/read.ts';
import {
  DataError,
  type Format,
  formatOf,
  formats,
  type InvalidRow,
  isValid,
  type ReadRow,
} from '../../src/data/rows.ts';
import { read } from './support/read.ts';

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
    // As German spreadsheets save them, with the other separators in names and in other columns.
    const semicolons =
      '\ufeff\r\n"name";Maße, cm, x;categoryId;"x, name, status,\r\ncategoryId, y";status\r\nRex;1,5;7;;\r\n"Kit, ""the cat""";;-1;;sold\r\n';
    texts.push(['csv', semicolons], ['csv', semicolons.replaceAll(';', '\t')]);
    for (const [format, text] of texts)
      for (const size of [1, 7, 100_000]) {
        const rows = await read(text, format, NewPet, size);
        assert.deepEqual(valid(rows), [rex, kit], text);
        assert.equal(rows.length, 2);
      }
  });

  it('may end their lines in different ways within one CSV file, also where a chunk ends', async () => {
    const text = 'categoryId,name\n7,Rex\r\n\r\n8,"a\rb"\r9,Kit\n\n10,\r\n11,Bo';
    for (const size of [1, 2, 3, 100_000]) {
      const rows = await read(text, 'csv', NewPet, size);
      assert.deepEqual(
        rows.map((row) => [row.line, isValid(row) ? row.value.name : row.problems]),
        [
          [2, 'Rex'],
          [4, 'a\rb'],
          [6, 'Kit'],
          [8, ['name is required']],
          [9, 'Bo'],
        ],
      );
    }
  });

  it('are each reported with their line and every problem', async () => {
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
      new DataError(
        'The header row lacks id: the first row must name the columns, separated by commas, semicolons or tabs.',
      ),
    );
    const [row] = await read('{"name":"Rex","categoryId":7}', 'ndjson', Pet);
    assert.deepEqual(row?.problems, ['id is required']);
  });

  it('have a category with an identifier, a name, or both', async () => {
    const csv = 'name,category,categoryId\nRex,Dogs,\nKit,,7\nBo,Dogs,7\nMia,,\n';
    const ndjson =
      '{"name":"Rex","category":"Dogs"}\n{"name":"Kit","categoryId":7}\n' +
      '{"name":"Bo","category":"Dogs","categoryId":7}\n{"name":"Mia"}\n';
    for (const [format, text] of Object.entries({ csv, ndjson }) as [Format, string][]) {
      const rows = await read(text, format, AddedPet);
      assert.deepEqual(
        rows.map((row) => (isValid(row) ? [row.value.category, row.value.categoryId] : row.problems)),
        [['Dogs', undefined], [undefined, 7n], ['Dogs', 7n], ['categoryId or category is required']],
      );
    }
    for (const schema of [AddedPet, KeptPet])
      await assert.rejects(
        read('id,name\n1,Rex\n', 'csv', schema),
        /^Error: The header row lacks categoryId or category: /,
      );
    const [row] = await read('{"category":7}', 'ndjson', AddedPet);
    assert.deepEqual(row?.problems, ['name is required', 'category must be text']);
  });

  it('of an update are complete where they have no id', async () => {
    const rows = await read(
      'id,name,category,status\n5,,,\n6,Rex,,sold\n,Kit,Dogs,\n,,,sold\n',
      'csv',
      ChangedPet,
    );
    assert.deepEqual(
      rows.map((row) => (isValid(row) ? row.value : row.problems)),
      [
        { id: 5n },
        { id: 6n, name: 'Rex', status: 'sold' },
        { name: 'Kit', category: 'Dogs', status: 'available' },
        ['name is required', 'categoryId or category is required'],
      ],
    );
  });

  it('report an error of the input itself', async () => {
    const failing = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('name,categoryId\nRex,7\n');
      throw new Error('EIO');
    };
    for (const format of formats)
      await assert.rejects(Array.fromAsync(readRows(failing(), format, NewPet)), /EIO/);
  });
});

describe('Invalid rows', () => {
  const texts: [Format, string][] = [
    ...[',', ';', '\t'].map((separator): [Format, string] => [
      'csv',
      'note|name|categoryId\n"a|b"|Rex|1\n"c\nd"||2\n|Kit|x\n|Mia|3\n'.replaceAll('|', separator),
    ]),
    [
      'ndjson',
      '{"name":"Rex","categoryId":1,"note":1}\n{"categoryId":2,"note":1}\n{"name":"Kit","categoryId":"x"}\n{"name":"Mia","categoryId":3}\n',
    ],
  ];
  it('can be fixed and imported again, with their separator, and the columns that are ignored are named', async () => {
    for (const [format, text] of texts) {
      const ignored = new Set<string>();
      const rows = await read(text, format, { ...NewPet, onIgnored: (name) => void ignored.add(name) });
      assert.deepEqual([...ignored], ['note']);
      const invalid = rows.filter((row) => !isValid(row)) as InvalidRow[];
      const file = (invalid[0]?.header ?? '') + invalid.map(({ source }) => source).join('');
      const again = await read(file, format, NewPet);
      assert.deepEqual(
        again.map(({ problems }) => problems),
        invalid.map(({ problems }) => problems),
      );
      const fixed = file
        .replace('"x"', '7')
        .replace(/""(?=[,;\t]"2")/, '"Bo"')
        .replace('{"c', '{"name":"Bo","c');
      assert.deepEqual(
        (await read(fixed, format, NewPet)).map((row) => 'value' in row && row.value.name),
        ['Bo', 'Kit'],
      );
    }
  });
});

describe('Input that cannot be read to its end', () => {
  const unreadable: Record<string, [Format, string | Uint8Array, RegExp]> = {
    'an empty CSV file': ['csv', '', /^The input is empty/],
    'a header in another case': ['csv', 'name,categoryID\nRex,7', /"categoryID": write categoryId\.$/],
    'a header with spaces': ['csv', 'name, categoryId\nRex,7', /" categoryId": write categoryId\.$/],
    'another separator': [
      'csv',
      'name|categoryId\nRex|7',
      /lacks name and categoryId: .*separated by commas, semicolons or tabs\.$/,
    ],
    'a column in another case, with semicolons': ['csv', 'Name;categoryId\nRex;7', /"Name": write name\.$/],
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
  it('is reported in one clear line', async () => {
    for (const [what, [format, text, message]] of Object.entries(unreadable))
      for (const size of text.length < 1000 ? [1, 7, 100_000] : [1000, 100_000])
        await assert.rejects(read(text, format, NewPet, size), (error: Error) => {
          assert.ok(error instanceof DataError, `${what}: ${error}`);
          assert.match(error.message, message, what);
          return !error.message.includes('\n');
        });
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
      /^Error: The format of - is not clear from its name: add --format ndjson or --format csv\. Save a spreadsheet as CSV first\.$/,
    );
    assert.throws(() => formatOf('pets.csv', 'xml'), /--format must be ndjson or csv, not xml\.$/);
  });
});
