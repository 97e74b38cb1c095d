import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { unescapeFormula } from '../../../src/data/formula.ts';
import { sell } from '../../../src/web/browser/console/data/actions.ts';
import { dayOf, timeOfDay } from '../../../src/web/browser/console/data/calendar.ts';
import * as csv from '../../../src/web/browser/console/data/csv.ts';
import { numbered, openShop, othersAt, TILL } from '../support/shop.ts';

test('a file has nothing that a spreadsheet would run, and keeps every digit of an id', () => {
  for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', "'=1", '＝1'])
    assert.equal(csv.csvFile([text], []), `\ufeff"'${text}"\r\n`);
  const cases: [bigint, string][] = [
    [0n, '0'],
    [-999_999_999_999_999n, '-999999999999999'],
    [1_000_000_000_000_000n, `"'1000000000000000"`],
    [-9_223_372_036_854_775_808n, `"'-9223372036854775808"`],
  ];
  for (const [id, cell] of cases) assert.equal(csv.csvFile(['Id'], [[id]]), `\ufeff"Id"\r\n${cell}\r\n`);
  // A program reads it as it was written.
  const anyRow = fc.array(fc.string({ unit: 'binary' }), { minLength: 2, maxLength: 2 });
  const property = fc.property(fc.array(anyRow), (rows) => {
    const read: string[][] = parse(csv.csvFile(['one', 'two'], rows), { bom: true });
    const texts = read.map((cells) => cells.map(unescapeFormula));
    assert.deepEqual(texts, [['one', 'two'], ...rows]);
  });
  fc.assert(property, { numRuns: 30 });
});

/** A time of the device, as spreadsheets read it. */
const local = (iso: string): string => `"${dayOf(new Date(iso))} ${timeOfDay(new Date(iso))}"`;
const WANTED: csv.Gathering = { progress: () => {}, isWanted: () => true };
const recordsOf = (file: string | undefined): Record<string, string>[] =>
  parse(file ?? assert.fail('it is not wanted'), { bom: true, columns: true });

test('every animal that matches is in the file once, with the order that explains its status', async (t) => {
  const { shop, others } = await openShop(t, numbered(230));
  await others.order(1, { note: 'for Ms Lee' });
  await others.order(2, { status: 'completed', note: 'paid' });
  await others.order(3, { note: 'for Mr Kim' });
  await others.close(3, 'completed');
  await others.setPet(4, { status: 'sold' });
  await others.order(5, { note: 'not any more' });
  await others.close(4, 'cancelled');
  const counts: number[] = [];
  const progress = (count: number) => counts.push(count);
  const file = await csv.gatherAnimals(shop, {}, { ...WANTED, progress });
  const [header, first] = (file ?? '').split('\r\n');
  assert.equal(header, '\ufeff"Id","Name","Category","Category id","Status","Note","Reserved on","Sold on"');
  assert.equal(first, '230,"Animal 229",,1,"Available",,,');
  const all = recordsOf(file);
  assert.deepEqual(counts, [100, 200, 230]);
  assert.deepEqual(
    all.map(({ Id }) => Number(Id)),
    Array.from({ length: 230 }, (_, index) => 230 - index),
  );
  const rows = all.map(({ Id, Status, Note, ...row }) =>
    [Id, Status, Note, row['Reserved on'] && 'reserved', row['Sold on'] && 'sold'].join(),
  );
  assert.deepEqual(rows.slice(-5), [
    '5,Available,,,',
    '4,Sold,,,',
    '3,Sold,for Mr Kim,reserved,sold',
    '2,Sold,paid,,sold',
    '1,Reserved,for Ms Lee,reserved,',
  ]);
  let pages = 0;
  const isWanted = () => pages++ < 1;
  assert.equal(await csv.gatherAnimals(shop, {}, { ...WANTED, isWanted }), undefined, 'it is stopped');
  assert.equal(pages, 3);
  await others.removePet(230);
  const [removed] = recordsOf(await csv.gatherAnimals(shop, { removed: true }, WANTED));
  assert.deepEqual([removed?.Status, removed?.Note], ['Removed', 'died']);
  await others.setPet(229, { name: 'Room 229' });
  const found = recordsOf(await csv.gatherAnimals(shop, { text: '229' }, WANTED));
  assert.deepEqual(
    found.map(({ Name }) => Name),
    ['Room 229'],
    'found by its id and by its name',
  );
});

test('sales have who has sold them, if that is known, and no time of a reservation that there was not', async (t) => {
  const opened = await openShop(t, ['Ava', 'Ben', 'Cleo', 'Dot', 'Eli']);
  const { service, shop, network, others, run, press } = opened;
  const till = othersAt(service, TILL);
  await others.order(1, { status: 'completed' });
  await others.order(2);
  await till.close(2, 'completed');
  await till.order(3, { status: 'completed' });
  await others.close(3, 'returned');
  // A sale that is undone is none.
  await run(sell, 4n);
  await press('Undo');
  await service.store.createOrder({ petId: 5n, status: 'completed' });
  const [ours, { name: theirs }] = [shop.api.key.name, await till.get<{ name: string }>('keys/current')];
  const file = (await csv.gatherSales(shop, 'today', WANTED)) ?? '';
  const [header, ...lines] = file.split('\r\n');
  const then = '"Reserved on","Sold on","Sold by","Returned on"';
  assert.equal(header, `\ufeff"Order","Animal id","Name","Category","Status","Note",${then}`);
  const { completedAt, updatedAt } =
    await till.get<Record<'completedAt' | 'updatedAt', string>>('store/orders/3');
  const returned = `3,3,"Cleo",,"Returned",,,${local(completedAt)},"${theirs}",${local(updatedAt)}`;
  assert.ok(lines.includes(returned), returned);
  const sales = recordsOf(file).map(
    (row) => `${row.Name} ${row.Status} ${row['Sold by']} ${row['Reserved on'] !== ''}`,
  );
  assert.deepEqual(sales.toSorted(), [
    `Ava Sold ${ours} false`,
    `Ben Sold ${theirs} true`,
    `Cleo Returned ${theirs} false`,
    'Eli Sold  false',
  ]);
  assert.deepEqual(network.reads('events'), []);
});
