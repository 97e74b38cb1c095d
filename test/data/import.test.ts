import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NewPet, Pet } from '../../src/contract/pet.ts';
import { AddedPet, ChangedPet, KeptPet } from '../../src/data/imported-pet.ts';
import { readRows } from '../../src/data/read.ts';
import { DataError, type Format, formats, isValid, type ReadRow } from '../../src/data/rows.ts';
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
    for (const [format, text] of texts) {
      const rows = await read(text, format, NewPet);
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
