import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NewPet } from '../../src/contract/pet.ts';
import { DataError, type Format, formatOf } from '../../src/data/rows.ts';
import { read } from './support/read.ts';

describe('Input that cannot be read to its end', () => {
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
    it(`is reported in one clear line: ${what}`, async () => {
      for (const size of text.length < 1000 ? [1, 7, 100_000] : [1000, 100_000]) {
        await assert.rejects(read(text, format, NewPet, size), (error: Error) => {
          assert.ok(error instanceof DataError, String(error));
          assert.match(error.message, message);
          return !error.message.includes('\n');
        });
      }
    });
  }
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
