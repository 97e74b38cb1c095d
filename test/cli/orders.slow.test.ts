import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../../src/contract/limits.ts';
import type { Order } from '../../src/contract/order.ts';
import { openStore } from '../../src/store/open.ts';
import { runCommand } from '../support/service/command.ts';
import { orderIn, petsIn } from '../support/service/created.ts';
import { temporaryFolder } from '../support/service/service.ts';

/** A store with so many animals, whose ids begin at 1, and `animal-store orders …` on it, which must succeed. */
async function start(t: TestContext, animals: number) {
  const DATABASE_URL = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const store = await openStore(DATABASE_URL);
  t.after(() => store.close());
  const pet = { name: 'Rex', categoryId: 7n, status: 'available' } as const;
  petsIn(await store.createPets(Array.from({ length: animals }, () => pet)));
  async function orders(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runCommand(['orders', ...args], { DATABASE_URL });
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  }
  const idsOf = async (...args: string[]) =>
    [...(await orders('--json', ...args)).matchAll(/^\{"id":(\d+),/gm)].map(([, id]) => Number(id));
  const place = async (petId: number, note?: string) =>
    orderIn(await store.createOrder({ petId: BigInt(petId), note }));
  const complete = async ({ id }: Order) => orderIn(await store.updateOrder(id, { status: 'completed' }));
  return { DATABASE_URL, store, orders, idsOf, place, complete };
}

const seconds = (time = '') => time.replace(/\.\d+Z$/, 'Z');

describe('animal-store orders', () => {
  it('prints a table, newest first, or one JSON line per order', async (t) => {
    const { orders, place, complete } = await start(t, 2);
    assert.equal(await orders(), 'There are no such orders.\n');
    const sold = await complete(await place(2, 'Ms Lee\u001b[2J\nFriday'));
    const placed = await place(1);
    const [first, second] = [placed.createdAt, sold.createdAt].map(seconds);
    assert.equal(
      await orders(),
      [
        'ID  ANIMAL  STATUS     PLACED                COMPLETED             NOTE',
        `2   1       placed     ${first}  -`,
        `1   2       completed  ${second}  ${seconds(sold.completedAt)}  Ms Lee\\u001b[2J\\u000aFriday\n`,
      ].join('\n'),
    );
    const lines = (await orders('--json')).split('\n');
    assert.equal(lines.pop(), '');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      [
        { ...placed, id: 2, petId: 1 },
        { ...sold, id: 1, petId: 2 },
      ],
    );
  });

  it('finds orders by status, animal and note, and those completed in a time, the latest first', async (t) => {
    const { store, idsOf, place, complete } = await start(t, 4);
    const [a, b, c] = [await place(1, 'Mr Núñez'), await place(2, 'Ms Lee'), await place(3)];
    await complete(b);
    // Completions of one millisecond are in the order of their ids.
    await sleep(5);
    const { completedAt: last = '' } = await complete(a);
    await store.updateOrder(b.id, { status: 'returned' });
    await store.updateOrder(c.id, { status: 'cancelled' });
    await place(2);
    assert.deepEqual(await idsOf(), [4, 3, 2, 1]);
    assert.deepEqual(await idsOf('--status', 'returned'), [2]);
    assert.deepEqual(await idsOf('--pet', '2'), [4, 2]);
    assert.deepEqual(await idsOf('--pet', '2', '--pet', '1'), [4, 2, 1]);
    assert.deepEqual(await idsOf('--note', 'nunez'), [1]);
    assert.deepEqual(await idsOf('--completed-from', '2026-01-01T00:00:00+01:00'), [1, 2]);
    assert.deepEqual(await idsOf('--completed-from', last, '--note', 'núñez'), [1]);
    assert.deepEqual(await idsOf('--completed-before', '2026-01-01T00:00:00Z'), []);
    assert.deepEqual(await idsOf('--completed-before', '9999-12-31T00:00:00Z', '--status', 'returned'), [2]);
  });

  it('goes on over all pages, also short and empty ones', async (t) => {
    const { store, idsOf, orders, place } = await start(t, limits.lookedAt + 1);
    await place(1, 'Ms Lee');
    for (let first = 2; first <= limits.lookedAt; first += 5000) {
      const petIds = Array.from({ length: 5000 }, (_, n) => BigInt(first + n));
      await Promise.all(petIds.map((petId) => store.createOrder({ petId })));
    }
    assert.deepEqual(await idsOf('--note', 'lee'), [1]);
    const lines = (await orders()).trimEnd().split('\n').slice(1);
    assert.deepEqual(
      lines.map((line) => Number.parseInt(line, 10)),
      Array.from({ length: limits.lookedAt + 1 }, (_, n) => limits.lookedAt + 1 - n),
    );
  });

  it('says in one line what is wrong', async (t) => {
    const { DATABASE_URL } = await start(t, 1);
    const expected: [string[], RegExp][] = [
      [['--status', 'sold'], /--status must be one of placed, completed, cancelled, returned/],
      [['--pet', 'Rex'], /--pet must be 1 to 100 whole numbers, such as --pet=7 --pet=9/],
      [['--note', ''], /--note must be 1 to 200 characters/],
      [
        ['--completed-from', '2026-11-17', '--completed-before', '2026-11-17T00:00:00'],
        /--completed-from must be a time with seconds and offset, such as \S+Z or \S+\+01:00; --completed-before must be/,
      ],
      [
        ['--completed-from', '2026-11-17T00:00:00Z', '--completed-before', '2026-11-17T00:00:00+01:00'],
        /--completed-from must not be after --completed-before/,
      ],
      [['7'], /usage: animal-store orders \[flags\]/],
    ];
    for (const [args, message] of expected) {
      const { code, stdout, stderr } = await runCommand(['orders', ...args], { DATABASE_URL });
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /^animal-store: [^\n]+\n$/);
      assert.match(stderr, message);
    }
  });
});
