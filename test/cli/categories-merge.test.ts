import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it, type TestContext } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { runCommand } from '../support/service/command.ts';
import { temporaryFolder } from '../support/service/service.ts';

const createUrl = async (t: TestContext) => `sqlite:${join(await temporaryFolder(t), 'pets.db')}`;

it('categories merge takes negative ids, and says in one line what is wrong', async (t) => {
  const DATABASE_URL = await createUrl(t);
  const store = await openStore(DATABASE_URL);
  t.after(() => store.close());
  await store.setCategory({ id: -3n, name: 'Cats' });
  await store.setCategory({ id: -7n, name: 'Kittens' });
  await store.setCategory({ id: 1n, name: 'Dogs' });
  const merge = (...args: string[]) => runCommand(['categories', 'merge', ...args], { DATABASE_URL });
  const done = await merge('--into=-3', '--', '-7');
  assert.equal(
    done.stdout,
    'Moved 0 animals from category -7 (Kittens) to category -3 (Cats).\nCategory -7 no longer has a name.\n',
  );
  const expected: [number, string[], RegExp][] = [
    [1, ['--into=-3', '--', '-7'], /there is no category -7$/m],
    [
      1,
      ['1', '--into', '8'],
      /category 8 has no name: name it first in the console, or with PUT \/categories\/8$/m,
    ],
    [2, ['1', '--into', '1'], /--into must name another category/],
    [2, ['1', '--into', 'Dogs'], /--into must be a whole number from -\d+ to \d+, not "Dogs"/],
    [2, ['Dogs', '--into', '1'], /ID must be a whole number from -\d+ to \d+, not "Dogs"/],
  ];
  for (const [code, args, message] of expected) {
    const result = await merge(...args);
    assert.deepEqual([result.code, result.stdout], [code, ''], result.stderr);
    assert.match(result.stderr, /^animal-store: [^\n]+\n$/);
    assert.match(result.stderr, message);
  }
  assert.deepEqual((await store.getCategory(1n))?.name, 'Dogs');
});

it('categories merge says how far it has come when the store fails', async (t) => {
  const DATABASE_URL = await createUrl(t);
  const store = await openStore(DATABASE_URL);
  await store.setCategory({ id: 3n, name: 'Cats' });
  await store.createPets(
    Array.from({ length: 501 }, () => ({ name: 'Rex', categoryId: 7n, status: 'available' as const })),
  );
  await store.close();
  const db = new DatabaseSync(DATABASE_URL.slice('sqlite:'.length));
  // The last batch has the oldest animal.
  db.exec("CREATE TRIGGER broken BEFORE UPDATE ON pets WHEN new.id = 1 BEGIN SELECT RAISE(ABORT, 'no'); END");
  db.close();
  const { code, stdout, stderr } = await runCommand(['categories', 'merge', '7', '--into', '3'], {
    DATABASE_URL,
  });
  assert.deepEqual([code !== 0, stdout], [true, '']);
  assert.match(
    stderr,
    /^Moved 500 animals so far: run the command again to continue\.\nanimal-store: [^\n]+\n$/,
  );
});
