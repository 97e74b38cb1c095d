import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { unescapeFormula } from '../../src/data/formula.ts';
import {
  type AnimalRow,
  animalsCsv,
  csvFile,
  type SaleRow,
  salesCsv,
} from '../../src/web/browser/console/data/csv.ts';

/** A time of the device. */
const at = (hours: number, minutes: number) => new Date(2026, 10, 17, hours, minutes).toISOString();

const ANIMAL: AnimalRow = { id: 7n, name: 'Rex', category: 'Dogs', categoryId: 1n, status: 'Available' };
const SALE: SaleRow = {
  orderId: 12n,
  animalId: 7n,
  name: 'Zoë, "the cat"',
  category: undefined,
  status: 'Sold',
  note: 'for Ms Lee\nFriday',
  reservedAt: at(0, 5),
  soldAt: at(14, 2),
  soldBy: 'till 3',
};

/** The rows after the header, without the byte order mark. */
const rowsOf = (file: string): string[] => file.split('\r\n').slice(1, -1);

describe('A file for spreadsheets', () => {
  it('has animals with their status in words, the note and local times', () => {
    const reserved = { ...ANIMAL, status: 'Reserved', note: 'deposit', reservedAt: at(9, 30) } as const;
    assert.equal(
      animalsCsv([ANIMAL, reserved, { ...reserved, status: 'Sold', category: undefined, soldAt: at(14, 2) }]),
      [
        '\ufeff"Id","Name","Category","Category id","Status","Note","Reserved on","Sold on"',
        '7,"Rex","Dogs",1,"Available",,,',
        '7,"Rex","Dogs",1,"Reserved","deposit","2026-11-17 09:30",',
        '7,"Rex",,1,"Sold","deposit","2026-11-17 09:30","2026-11-17 14:02"',
        '',
      ].join('\r\n'),
    );
  });

  it('has sales with all their times and who has sold', () => {
    const returnedAt = new Date(2026, 10, 18, 9, 30).toISOString();
    assert.equal(
      salesCsv([SALE, { ...SALE, status: 'Returned', note: undefined, soldBy: undefined, returnedAt }]),
      [
        '\ufeff"Order","Animal id","Name","Category","Status","Note","Reserved on","Sold on","Sold by","Returned on"',
        '12,7,"Zoë, ""the cat""",,"Sold","for Ms Lee\nFriday","2026-11-17 00:05","2026-11-17 14:02","till 3",',
        '12,7,"Zoë, ""the cat""",,"Returned",,"2026-11-17 00:05","2026-11-17 14:02",,"2026-11-18 09:30"',
        '',
      ].join('\r\n'),
    );
  });

  it('has nothing that a spreadsheet would run', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', "'=1", '＝1']) {
      const { note, soldBy } = { note: text, soldBy: text };
      for (const file of [
        animalsCsv([{ ...ANIMAL, name: text, category: text, note }]),
        salesCsv([{ ...SALE, name: text, category: text, note, soldBy }]),
      ]) {
        const cells = rowsOf(file).join('').split(',');
        assert.equal(cells.filter((cell) => cell === `"'${text}"`).length, file.includes('Sold by') ? 4 : 3);
        assert.ok(!cells.includes(`"${text}"`), text);
      }
    }
  });

  it('keeps every digit of an id', () => {
    const cases: [bigint, string][] = [
      [0n, '0'],
      [-3n, '-3'],
      [999_999_999_999_999n, '999999999999999'],
      [-999_999_999_999_999n, '-999999999999999'],
      [1_000_000_000_000_000n, `"'1000000000000000"`],
      [9_223_372_036_854_775_807n, `"'9223372036854775807"`],
      [-9_223_372_036_854_775_808n, `"'-9223372036854775808"`],
    ];
    for (const [id, cell] of cases) {
      assert.deepEqual(rowsOf(animalsCsv([{ ...ANIMAL, id, categoryId: id }])), [
        `${cell},"Rex","Dogs",${cell},"Available",,,`,
      ]);
      assert.ok(
        rowsOf(salesCsv([{ ...SALE, orderId: id, animalId: id }]))[0]?.startsWith(`${cell},${cell},"`),
      );
    }
  });

  it('is read by a program as it was written', () => {
    const anyText = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, anyText)), (rows) => {
        const read: string[][] = parse(csvFile(['one', 'two'], rows), { bom: true });
        assert.deepEqual(
          read.map((cells) => cells.map(unescapeFormula)),
          [['one', 'two'], ...rows],
        );
      }),
      { numRuns: 30 },
    );
  });
});
