import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { runCommand } from '../support/service/command.ts';
import { temporaryFolder } from '../support/service/service.ts';

/** A new store, and a function that runs `animal-store categories …` on it with the expected exit code. */
async function start(t: TestContext) {
  const database = `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;
  const store = await openStore(database);
  t.after(() => store.close());
  async function categories(expectedCode: number, ...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await runCommand(['categories', ...args], { DATABASE_URL: database });
    assert.equal(code, expectedCode, stderr);
    assert.equal(code === 0 ? stderr : stdout, '');
    return stdout + stderr;
  }
  return { store, categories };
}

const LARGEST = String(2n ** 63n - 1n);
const SMALLEST = String(-(2n ** 63n));
/** The counts of a category without animals. */
const NONE = '"inventory":{"available":0,"pending":0,"sold":0}';

describe('animal-store categories', { concurrency: true }, () => {
  it('names, renames, lists in order of name, and removes, for every identifier', async (t) => {
    const { store, categories } = await start(t);
    assert.match(await categories(0, 'list'), /^There are no categories yet\. .*categories set 1 "Dogs"\n$/);
    assert.equal(await categories(0, 'list', '--json'), '[]\n');
    assert.equal(await categories(0, 'set', '7', 'dogs'), 'Named category 7: dogs\n');
    assert.equal(await categories(0, 'set', LARGEST, 'Cats'), `Named category ${LARGEST}: Cats\n`);
    assert.equal(
      await categories(0, 'set', '--json', '--', SMALLEST, 'Birds'),
      `{"id":${SMALLEST},"name":"Birds",${NONE}}\n`,
    );
    assert.equal(await categories(0, 'set', '7', 'Dogs'), 'Renamed category 7: Dogs\n');
    assert.equal((await store.getCategory(7n))?.name, 'Dogs');
    for (const status of ['available', 'available', 'pending', 'sold'] as const)
      await store.createPet({ name: 'Rex', categoryId: 7n, status });
    await store.createPets(
      Array.from({ length: 10 }, () => ({ name: 'Kit', categoryId: 2n ** 63n - 1n, status: 'sold' })),
    );
    assert.equal(
      await categories(0, 'list'),
      [
        'ID                    NAME   AVAILABLE  PENDING  SOLD',
        `${SMALLEST}  Birds          0        0     0`,
        `${LARGEST}   Cats           0        0    10`,
        '7                     Dogs           2        1     1\n',
      ].join('\n'),
    );
    assert.equal(await categories(0, 'remove', '--', SMALLEST), `Removed category ${SMALLEST}.\n`);
    assert.equal(
      await categories(0, 'list', '--json'),
      `[{"id":${LARGEST},"name":"Cats","inventory":{"available":0,"pending":0,"sold":10}},` +
        `{"id":7,"name":"Dogs","inventory":{"available":2,"pending":1,"sold":1}}]\n`,
    );
    assert.equal(
      await categories(0, 'set', '--json', '7', 'Hounds'),
      '{"id":7,"name":"Hounds","inventory":{"available":2,"pending":1,"sold":1}}\n',
    );
  });

  it('lists more than one page', async (t) => {
    const { store, categories } = await start(t);
    for (let id = 1n; id <= 1001n; id++) await store.setCategory({ id, name: `Category ${id}` });
    const listed = JSON.parse(await categories(0, 'list', '--json')) as { name: string }[];
    assert.equal(new Set(listed.map(({ name }) => name)).size, 1001);
  });

  it('prints no character that controls a terminal or forges a row, and the same name in JSON', async (t) => {
    const { store, categories } = await start(t);
    const hostile = 'a\u001b]0;x\u0007\u009b2J\u202eb\u2066\u200f\u061c\u2028\u007f\n8  Forged\r\t';
    const name = `${hostile}é🐶`;
    const shown =
      'a\\u001b]0;x\\u0007\\u009b2J\\u202eb\\u2066\\u200f\\u061c\\u2028\\u007f\\u000a8  Forged\\u000d\\u0009é🐶';
    await store.setCategory({ id: 7n, name });
    assert.equal(
      await categories(0, 'list'),
      `ID  NAME${' '.repeat(shown.length - 4)}  AVAILABLE  PENDING  SOLD\n7   ${shown}          0        0     0\n`,
    );
    assert.equal(await categories(0, 'set', '7', name), `Renamed category 7: ${shown}\n`);
    const json = await categories(0, 'list', '--json');
    assert.deepEqual(JSON.parse(json), [{ id: 7, name, ...JSON.parse(`{${NONE}}`) }]);
    assert.doesNotMatch(json.slice(0, -1), /[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('says in one line what is wrong', async (t) => {
    const { store, categories } = await start(t);
    await store.setCategory({ id: 1n, name: 'Dogs' });
    await store.createPet({ name: 'Rex', categoryId: 1n, status: 'available' });
    const expected: [number, string[], RegExp][] = [
      [1, ['set', '2', 'DOGS'], /Another category has this name/],
      [1, ['remove', '1'], /Animals belong to this category/],
      [1, ['remove', '2'], /there is no category 2: run animal-store categories list to see all categories/],
      [2, ['set', 'seven', 'Cats'], /ID must be a whole number from -\d+ to \d+, not "seven"/],
      [2, ['set', '9223372036854775808', 'Cats'], /ID must be a whole number/],
      [2, ['set', '2', ' '], /the category's name must be 1 to 1,000 characters/],
      [2, ['set', '2'], /usage: animal-store categories set ID NAME \[flags\]/],
    ];
    for (const [code, args, message] of expected) {
      const output = await categories(code, ...args);
      assert.match(output, /^animal-store: [^\n]+\n$/);
      assert.match(output, message);
    }
  });
});
