import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Pet } from '../../src/contract/pet.ts';
import { type Format, formats, isValid } from '../../src/data/rows.ts';
import { fileHeader, petRows } from '../../src/data/write.ts';
import { pet } from './support/pets.ts';
import { read } from './support/read.ts';

const fileOf = (pets: readonly Pet[], format: Format): string => fileHeader(format) + petRows(pets, format);

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
              pets,
            );
          },
        ),
        { numRuns: 100 },
      );
    });
  }

  it('hold no cell that a spreadsheet runs as a formula', () => {
    fc.assert(
      fc.property(pet, (one) => {
        const cells = [...petRows([one], 'csv').matchAll(/"((?:[^"]|"")*)"/g)];
        assert.ok(cells.length >= 2);
        for (const [, cell = ''] of cells) assert.doesNotMatch(cell, /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/);
      }),
      { numRuns: 500 },
    );
    const rex = { id: 1n, name: '=1+1', categoryId: -7n, status: 'available' } as const;
    assert.equal(petRows([rex], 'csv'), `1,"'=1+1",-7,"available"\r\n`);
    for (const name of [' =1+1', ' \t+1', '\u00a0@x', "' -1", '\u3000＝1'])
      assert.equal(petRows([{ ...rex, name }], 'csv'), `1,"'${name}",-7,"available"\r\n`);
    for (const name of ['a;=1+1', 'a\n=1+1', ' Rex', "' Rex", ' 1'])
      assert.equal(petRows([{ ...rex, name }], 'csv'), `1,"${name}",-7,"available"\r\n`);
    assert.equal(fileHeader('csv'), '"id","name","categoryId","status"\r\n');
    assert.equal(fileHeader('ndjson'), '');
  });
});
