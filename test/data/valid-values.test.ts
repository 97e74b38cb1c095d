import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NewPet } from '../../src/contract/pet.ts';
import { readRows, validValues } from '../../src/data/read.ts';
import { DataError, type Format, type InvalidRow } from '../../src/data/rows.ts';
import { inPieces, read } from './support/read.ts';

const texts: Record<Format, string> = {
  csv: 'note,name,categoryId\n"a, b",Rex,1\n"c\nd",,2\n,Kit,x\n,Mia,3\n',
  ndjson:
    '{"name":"Rex","categoryId":1}\n{"categoryId":2}\n{"name":"Kit","categoryId":"x"}\n{"name":"Mia","categoryId":3}\n',
};

describe('The values of valid rows', () => {
  for (const [format, text] of Object.entries(texts) as [Format, string][]) {
    const start = (skipInvalid: boolean) => {
      const invalid: InvalidRow[] = [];
      const onInvalid = (row: InvalidRow) => void invalid.push(row);
      return {
        invalid,
        values: validValues(readRows(inPieces(text), format, NewPet), { onInvalid, skipInvalid }),
      };
    };

    it(`end with an error when a row is invalid, after every one was reported, from ${format}`, async () => {
      const { invalid, values } = start(false);
      const before: NewPet[] = [];
      const consume = async () => {
        for await (const batch of values) before.push(...batch);
      };
      await assert.rejects(
        consume(),
        new DataError(
          '2 rows are invalid, so nothing was imported. Fix the file and import it again, or add --skip-invalid to import the rest.',
        ),
      );
      assert.equal(invalid.length, 2);
      assert.deepEqual(
        before.map(({ name }) => name),
        ['Rex'],
        'the rows after the first invalid one are only checked',
      );
    });

    it(`leave invalid rows out where asked to, in a form that can be fixed, from ${format}`, async () => {
      const { invalid, values } = start(true);
      const names = (await Array.fromAsync(values)).flat().map(({ name }) => name);
      assert.deepEqual(names, ['Rex', 'Mia']);
      const file = (invalid[0]?.header ?? '') + invalid.map(({ source }) => source).join('');
      const again = await read(file, format, NewPet);
      assert.deepEqual(
        again.map(({ problems }) => problems),
        invalid.map(({ problems }) => problems),
      );
      const fixed = file.replace('"x"', '7').replace('"","2"', '"Bo","2"').replace('{"c', '{"name":"Bo","c');
      assert.deepEqual(
        (await read(fixed, format, NewPet)).map((row) => 'value' in row && row.value.name),
        ['Bo', 'Kit'],
      );
    });
  }
});
