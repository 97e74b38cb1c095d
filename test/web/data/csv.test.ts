import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { unescapeFormula } from '../../../src/data/formula.ts';
import {
  type AnimalRow,
  animalsCsv,
  csvFile,
  type Gathering,
  gatherAnimals,
  gatherSales,
  type SaleRow,
  salesCsv,
} from '../../../src/web/browser/console/data/csv.ts';
import { KEY, startService } from '../../support/service/service.ts';
import { openShop } from '../support/shop.ts';
import {
  ALL,
  add,
  addMany,
  close,
  nameCategory,
  openShopWith,
  order,
  setPet,
} from '../support/shop-calls.ts';

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

test('a file has animals with their status in words, the note and local times', () => {
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

test('a file has sales with all their times and who has sold', () => {
  const returnedAt = new Date(2026, 10, 18, 9, 30).toISOString();
  const direct = { ...SALE, note: undefined, reservedAt: undefined, soldBy: undefined } as const;
  assert.equal(
    salesCsv([SALE, { ...direct, status: 'Returned', returnedAt }]),
    [
      '\ufeff"Order","Animal id","Name","Category","Status","Note","Reserved on","Sold on","Sold by","Returned on"',
      '12,7,"Zoë, ""the cat""",,"Sold","for Ms Lee\nFriday","2026-11-17 00:05","2026-11-17 14:02","till 3",',
      '12,7,"Zoë, ""the cat""",,"Returned",,,"2026-11-17 14:02",,"2026-11-18 09:30"',
      '',
    ].join('\r\n'),
  );
});

test('a file has nothing that a spreadsheet would run', () => {
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

test('a file keeps every digit of an id', () => {
  const cases: [bigint, string][] = [
    [0n, '0'],
    [-999_999_999_999_999n, '-999999999999999'],
    [1_000_000_000_000_000n, `"'1000000000000000"`],
    [-9_223_372_036_854_775_808n, `"'-9223372036854775808"`],
  ];
  for (const [id, cell] of cases) {
    assert.deepEqual(rowsOf(animalsCsv([{ ...ANIMAL, id, categoryId: id }])), [
      `${cell},"Rex","Dogs",${cell},"Available",,,`,
    ]);
    assert.ok(rowsOf(salesCsv([{ ...SALE, orderId: id, animalId: id }]))[0]?.startsWith(`${cell},${cell},"`));
  }
});

test('a file is read by a program as it was written', () => {
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

const WANTED: Gathering = { progress: () => {}, isWanted: () => true };
const recordsOf = (file: string | undefined): Record<string, string>[] =>
  parse(file ?? assert.fail('it is not wanted'), { bom: true, columns: true });

test('every animal that matches is in the file once, with the order that explains its status', async (t) => {
  const { shop } = await openShopWith(t, [], async (one) => {
    await nameCategory(one, 1, 'Kittens');
    for (const count of [100, 100, 30]) await addMany(one, count, 'Kitten');
    await order(one, 1, 'for Ms Lee');
    await one.call('POST', '/v1/store/orders', { body: { petId: 2, status: 'completed', note: 'paid' } });
    await order(one, 3, 'for Mr Kim');
    await close(one, 3, 'completed');
    await setPet(one, 4, { status: 'sold' });
    await order(one, 5, 'not any more');
    await close(one, 4, 'cancelled');
  });
  const counts: number[] = [];
  const all = recordsOf(
    await gatherAnimals(shop, {}, { ...WANTED, progress: (count) => counts.push(count) }),
  );
  assert.deepEqual(counts, [100, 200, 230]);
  assert.deepEqual(
    all.map(({ Id }) => Number(Id)),
    Array.from({ length: 230 }, (_, index) => 230 - index),
  );
  assert.deepEqual(
    all
      .slice(-5)
      .map(({ Id, Status, Note, ...row }) => [Id, Status, Note, !!row['Reserved on'], !!row['Sold on']]),
    [
      ['5', 'Available', '', false, false],
      ['4', 'Sold', '', false, false],
      ['3', 'Sold', 'for Mr Kim', true, true],
      ['2', 'Sold', 'paid', false, true],
      ['1', 'Reserved', 'for Ms Lee', true, false],
    ],
  );
  let pages = 0;
  const isWanted = () => pages++ < 1;
  assert.equal(await gatherAnimals(shop, {}, { ...WANTED, isWanted }), undefined, 'it is stopped');
  assert.equal(pages, 3);
  await shop.api.client.removePet(230n, { reason: 'died' });
  const [removed] = recordsOf(await gatherAnimals(shop, { removed: true }, WANTED));
  assert.deepEqual([removed?.Status, removed?.Note], ['Removed', 'died']);
});

test('sales have who has sold them last, however many events there are, and no time of a reservation that there was not', async (t) => {
  const till = 'the-key-of-the-till-in-the-suite';
  const service = await startService(t, { config: { apiKeys: [KEY, till] } });
  for (const name of ['Ava', 'Ben', 'Cleo']) await add(service, name);
  const { shop, network } = await openShop(t, service, { screen: ALL });
  const send = (petId: number, status: string) =>
    service.call('POST', '/v1/store/orders', { body: { petId, status }, key: till });
  await send(1, 'completed');
  await send(2, 'placed');
  await service.call('PATCH', '/v1/store/orders/2', { body: { status: 'completed' }, key: till });
  for (const status of ['placed', 'completed']) await close(service, 2, status);
  await send(3, 'completed');
  await close(service, 3, 'returned');
  // More completions than a page has: the sale of Ava is on the second one.
  for (let count = 0; count < 100; count++)
    for (const status of ['placed', 'completed']) await close(service, 2, status);
  const sales = recordsOf(await gatherSales(shop, 'today', WANTED));
  const { name: theirs } = (await service.call('GET', '/v1/keys/current', { key: till })).json as {
    name: string;
  };
  assert.deepEqual(
    sales.map((row) => [row.Name, row.Status, row['Sold by'], row['Reserved on'] !== '']).toSorted(),
    [
      ['Ava', 'Sold', theirs, false],
      ['Ben', 'Sold', shop.api.key.name, true],
      ['Cleo', 'Returned', theirs, false],
    ],
  );
  const pages = () => network.reads('events').length;
  assert.equal(pages(), 2);
  // Nothing that happened before the period is asked for, and no more pages than wanted.
  await shop.events.loadAuthors(['order.completed'], new Date(Date.now() + 120_000), 10);
  assert.equal(pages(), 3);
  await shop.events.loadAuthors(['order.completed'], new Date(0), 1);
  assert.equal(pages(), 4);
});
