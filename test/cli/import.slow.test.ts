import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { hintAboutKeys } from '../../src/cli/database.ts';
import { processIo } from '../../src/cli/io.ts';
import { readConfig } from '../../src/config.ts';
import { fileHeader } from '../../src/data/write.ts';
import { openStore } from '../../src/store/open.ts';
import { listCategories, listPets } from '../support/lists.ts';
import { runCommand } from '../support/service/command.ts';
import { MAIN } from '../support/service/launch.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { spawnCommand } from '../support/service/spawn.ts';

/** A folder, and `animal-store …` in it on a database of its own, with the expected exit code. */
async function start(t: TestContext) {
  const folder = await temporaryFolder(t);
  const database = `sqlite:${join(folder, 'pets.db')}`;
  return {
    folder,
    database,
    write: (name: string, text: string) => writeFile(join(folder, name), text),
    read: (name: string) => readFile(join(folder, name), 'utf8'),
    async run(expectedCode: number, ...args: string[]) {
      const { code, stdout, stderr } = await runCommand(args, { DATABASE_URL: database }, folder);
      assert.equal(code, expectedCode, stdout + stderr);
      return { stdout, stderr };
    },
    async pets() {
      const store = await openStore(database, { create: false });
      return listPets(store, { limit: 1_000_000 }).finally(() => store.close());
    },
  };
}

const LARGEST_ID = 2n ** 63n - 1n - 10n ** 12n;
const INTEGER = 'categoryId must be a whole number from -9223372036854775808 to 9223372036854775807';

describe('animal-store import and export', { concurrency: true }, () => {
  it('keep the largest ids, replace a file only if told to, and write the animals of a status', async (t) => {
    const { read, write, run } = await start(t);
    const [rex, kit] = ['1,"Rex",1,"available"\r\n', `${LARGEST_ID},"Kit",1,"sold"\r\n`];
    await write('in.csv', `${fileHeader('csv')}${rex}${kit}`);
    await run(0, 'import', 'in.csv', '--keep-ids', '--create');
    const refused = await run(2, 'export', 'in.csv', '--status', 'sold');
    assert.match(refused.stderr, /in\.csv exists: name another file, or add --overwrite to replace it/);
    await run(0, 'export', 'in.csv', '--status', 'sold', '--overwrite');
    assert.equal(await read('in.csv'), `${fileHeader('csv')}${kit}`);
  });

  it('write the animals whose name contains a text, ignoring case and accents', async (t) => {
    const { write, run } = await start(t);
    const row = (name: string, status: string) => `${JSON.stringify({ name, categoryId: 1, status })}\n`;
    const rows = [row('Old Björn', 'sold'), row('Rex', 'sold'), row('BJORN II', 'available')];
    await write('a.ndjson', rows.join(''));
    await run(0, 'import', 'a.ndjson', '--create');
    const namesOf = async (...args: string[]) =>
      (await run(0, 'export', ...args)).stdout.match(/(?<="name":")[^"]*/g);
    assert.deepEqual(await namesOf('--name', 'björn'), ['Old Björn', 'BJORN II']);
    assert.deepEqual(await namesOf('--name', 'Bjorn', '--status', 'sold'), ['Old Björn']);
    assert.deepEqual(await namesOf('--name', 'jörn i'), ['BJORN II']);
  });

  it('write and read the names of categories, and say which were created, without what controls a terminal', async (t) => {
    const { write, run, pets } = await start(t);
    const name = 'a\u001b[2J\u009b\u202e\nb';
    const kit = JSON.stringify({ name: 'Kit', categoryId: 8, category: name });
    await write('a.ndjson', `{"name":"Rex","category":"Dogs"}\n${kit}\n`);
    const { stdout } = await run(0, 'import', 'a.ndjson', '--create');
    assert.match(
      stdout,
      /^Imported 2 animals in .*\nCreated category 8: a\\u001b\[2J\\u009b\\u202e\\u000ab\nCreated category 1: Dogs\n/,
    );
    await write('a.csv', 'name,category\nMax,DOGS\n');
    assert.match((await run(0, 'import', 'a.csv')).stdout, /^Imported 1 animal in [^\n]*\n(?!Created)/);
    const exported = await run(0, 'export', '--with-category', '--format', 'csv');
    assert.ok(exported.stdout.includes(`\r\n2,"Kit",8,"available","${name}"\r\n`), exported.stdout);
    assert.ok(exported.stdout.endsWith('\r\n3,"Max",1,"available","Dogs"\r\n'), exported.stdout);
    await write('b.csv', 'name,categoryId,category\nMax,7,Dogs\n');
    const { stderr } = await run(1, 'import', 'b.csv');
    assert.match(
      stderr,
      /^line 2: category is not the name of this categoryId: [^\n]+\nanimal-store: 1 row does not/,
    );
    assert.equal((await pets()).length, 3);
  });

  it('read standard input, and write to a reader that stops early', async (t) => {
    const { folder, database, run, pets } = await start(t);
    await run(0, 'seed', '20000', '--create');
    const exporting = spawnCommand(t, ['export'], { DATABASE_URL: database });
    await new Promise((resolve) => exporting.child.stdout?.once('data', resolve));
    exporting.child.stdout?.destroy();
    assert.equal(await exporting.exited, 0);
    assert.equal(exporting.output.stderr, '');

    const importing = spawnCommand(t, ['import', '-', '--format', 'csv'], { DATABASE_URL: database }, folder);
    await importing.send('name,categoryId\nRex,1\n');
    importing.child.stdin?.end();
    assert.equal(await importing.exited, 0);
    assert.equal((await pets()).length, 20_001);
  });
});

it('An interrupted export leaves no file, and the next one replaces what a killed one has left', async (t) => {
  const { folder, database, run } = await start(t);
  await run(0, 'seed', '20000', '--create');
  const begin = async (file: string) => {
    const command = spawnCommand(t, ['export', file], { DATABASE_URL: database }, folder);
    while (!(await readdir(folder)).includes(`.${file}.partial`)) assert.equal(command.child.exitCode, null);
    return command;
  };
  const left = async () => (await readdir(folder)).filter((name) => /csv/.test(name)).join();
  for (const [signal, expected] of Object.entries({ SIGINT: '', SIGKILL: '.a.csv.partial' })) {
    const { child, exited } = await begin('a.csv');
    child.kill(signal as NodeJS.Signals);
    await exited;
    assert.equal(await left(), expected, signal);
  }
  await run(0, 'export', 'a.csv');
  assert.equal(await left(), 'a.csv');
  // Of two at once, the last to begin writes the file.
  const { child, exited, output } = await begin('b.csv');
  child.kill('SIGSTOP');
  await run(0, 'export', 'b.csv', '--name', 'a');
  const whole = await readFile(join(folder, 'b.csv'), 'utf8');
  child.kill('SIGCONT');
  assert.equal(await exited, 2);
  assert.match(output.stderr, /another process has begun to write b\.csv: nothing was changed\n$/);
  assert.equal(await readFile(join(folder, 'b.csv'), 'utf8'), whole);
  assert.equal(await left(), 'a.csv,b.csv');
});

describe('Invalid rows', { concurrency: true }, () => {
  const csv = 'name,categoryId,status\nRex,x,lost\nKit,1,\n,2,\n';

  it('are all reported, and then nothing is imported', async (t) => {
    const { write, run, pets } = await start(t);
    await run(0, 'seed', '1', '--create');
    await write('a.csv', csv);
    const { stdout, stderr } = await run(1, 'import', 'a.csv');
    assert.equal(stdout, '');
    assert.equal(
      stderr,
      `line 2: ${INTEGER}; status must be one of available, pending, sold\nline 4: name is required\n` +
        'animal-store: 2 rows are invalid, so nothing was imported. Fix the file and import it again, or add --skip-invalid to import the rest.\n',
    );
    assert.equal((await pets()).length, 1);
  });

  it('can be skipped, fixed in their own file, and imported from it', async (t) => {
    const { write, read, run, pets, folder } = await start(t);
    await write('a.csv', csv);
    const { stdout } = await run(0, 'import', 'a.csv', '--skip-invalid', '--create');
    assert.match(stdout, /^Imported 1 animal in .*\n2 rows skipped: correct a\.rejected\.csv, then /);
    const rejected = await read('a.rejected.csv');
    assert.equal(rejected, '"name","categoryId","status"\r\n"Rex","x","lost"\r\n"","2",""\r\n');

    const again = await run(2, 'import', 'a.csv', '--skip-invalid');
    assert.match(again.stderr, /^animal-store: a\.rejected\.csv exists .* --rejected\n$/);
    await write('a.rejected.csv', rejected.replace('"x","lost"', '7,').replace('""', '"Bo"'));
    const [, command = ''] = /then import it: animal-store (import .*)$/m.exec(stdout) ?? [];
    await run(0, ...command.split(' '));
    assert.deepEqual(
      (await pets()).map(({ name }) => name),
      ['Bo', 'Rex', 'Kit'],
    );
    assert.deepEqual((await readdir(folder)).sort(), ['a.csv', 'a.rejected.csv', 'pets.db']);
    await write('b.txt', 'id,name,categoryId\n1,Max,7\nx,,\n');
    const advised = async (flags: string) =>
      (await run(0, ...`import b.txt --format csv --skip-invalid ${flags}`.split(' '))).stdout;
    const update = await advised('--update');
    assert.match(update, / import \S+\/b\.rejected\.txt --format=csv --update --database \S+\n/);
    const kept = await advised('--keep-ids --rejected=-r --create --database sqlite:new.db');
    assert.match(
      kept,
      /correct -r, then import it, with new ids: \S+ import \/\S+\/-r --format=csv --database /,
    );
  });

  it('are all kept when two imports write them to the same file at once', async (t) => {
    const { folder, database, read, run, pets } = await start(t);
    await run(0, 'seed', '1', '--create');
    const args = ['import', '-', '--format', 'ndjson', '--skip-invalid'];
    const imports = ['Rex', 'Kit'].map((name) => ({
      rejected: `{"name":"${name}"}\n`,
      command: spawnCommand(t, args, { DATABASE_URL: database }, folder),
    }));
    for (const { command, rejected } of imports) {
      const reported = once(command.child.stderr as Readable, 'data');
      await command.send(`${rejected}{"name":"Bo","categoryId":1}\n`);
      await reported;
    }
    const files = new Map<string, string>();
    for (const { command, rejected } of imports) {
      command.child.stdin?.end();
      assert.equal(await command.exited, 0, command.output.stderr);
      const [, file = ''] = /^1 row skipped: correct (\S+), then/m.exec(command.output.stdout) ?? [];
      files.set(file, rejected);
    }
    assert.equal(files.size, 2);
    assert.ok(files.has('rejected.ndjson'));
    for (const [file, rejected] of files) assert.equal(await read(file), rejected);
    assert.deepEqual((await readdir(folder)).sort(), ['pets.db', ...files.keys()].sort());
    assert.equal((await pets()).length, 3);
  });

  it('leave no file of their own when the import fails', async (t) => {
    const { write, run, folder } = await start(t);
    await write('a.csv', `${csv}"open`);
    await run(1, 'import', 'a.csv', '--skip-invalid', '--create');
    assert.deepEqual((await readdir(folder)).sort(), ['a.csv', 'pets.db']);
  });

  it('are reported together with those that conflict with the store, also by a dry run, and with ignored columns', async (t) => {
    const { write, run, pets } = await start(t);
    await write(
      'a.csv',
      'id;name;category;categoryId;stauts;a\u001b[2Jb;\n5;Rex;Dogs;7;;;\n6;;Dogs;7;;;\n5;Bo;Cats;8;;;\n',
    );
    const lines =
      'line 3: name is required\nIgnored columns: stauts, a\\u001b[2Jb\nline 4: line 2 has the same id\n';
    const both = 'animal-store: 1 row is invalid, and 1 row does not fit the store, so nothing was imported.';
    // Without a store, within one that is new, and in the import itself.
    for (const flags of [['--dry-run'], ['--create'], ['--dry-run']]) {
      const { stdout, stderr } = await run(1, 'import', 'a.csv', '--keep-ids', ...flags);
      assert.equal(stderr, `${lines}${both} Fix the file and import it again.\n`);
      assert.equal(stdout, '');
    }
    const skipping = await run(1, 'import', 'a.csv', '--keep-ids', '--skip-invalid');
    assert.match(skipping.stderr, /\nanimal-store: 1 row does not fit the store, so nothing was imported\./);
    assert.deepEqual(await pets(), []);

    await write('b.ndjson', '{"name":"Rex","category":"Dogs","stauts":"sold"}\n');
    const dry = await run(0, 'import', 'b.ndjson', '--dry-run');
    assert.equal(dry.stderr, 'Ignored fields: stauts\n');
    const valid = 'Valid, and without conflicts with the store: 1 row. Nothing was changed.\n';
    assert.equal(dry.stdout, `${valid}Would create category: Dogs\n`);
    assert.equal((await run(0, 'import', 'b.ndjson')).stderr, dry.stderr);
    await write(
      'c.csv',
      `name,categoryId,${Array.from({ length: 12 }, (_, i) => `${i}${'x'.repeat(100)}`)}\n`,
    );
    const { stderr } = await run(0, 'import', 'c.csv', '--dry-run');
    assert.match(stderr, /^Ignored columns: 0x{39}, (?:\dx{39}, ){8}9x{39} and others\n$/);

    await write('d.csv', 'id,name,categoryId\n,,\n9,Rex,1\n');
    const update = await run(1, 'import', 'd.csv', '--update', '--dry-run');
    assert.match(
      update.stderr,
      /^line 2: name is required; [^\n]*\nline 3: there is no animal with the id 9\n/,
    );
    const kept = await run(2, 'import', 'd.csv', '--keep-ids', '--dry-run');
    assert.match(
      kept.stderr,
      /^line 2: id is required;[^\n]*\nanimal-store: ids can only be kept in a store without/,
    );
    assert.equal((await pets()).length, 1);
  });
});

describe('A wrong call of import, export or seed', { concurrency: true }, () => {
  const calls: Record<string, [args: string[], message: RegExp]> = {
    'a file that does not exist': [['import', 'x.csv'], /there is no file x\.csv: name one that exists/],
    'no folder': [
      ['import', 'a.csv', '--skip-invalid', '--rejected=no/r'],
      /no folder \S+\/no: create it, or mount its disk/,
    ],
    'no folder for an export': [
      ['export', 'missing/pets.csv'],
      /there is no folder \S+\/missing: create it, or mount its disk$/m,
    ],
    'an unclear format': [['import', 'a.txt'], /add --format ndjson or --format csv/],
    'an unknown status': [['export', '--status', 'lost'], /--status must be one of available, pending, sold/],
    'a name that cannot be searched for': [['export', '--name', ''], /--name must be 1 to 200 characters/],
    'ids in a store with animals': [['import', 'a.csv', '--keep-ids'], /import without --keep-ids/],
    'no number': [['seed', 'many'], /COUNT must be a whole number from 1 to 10,000,000, not "many"/],
    'a negative seed': [['seed', '1', '--seed=-1'], /--seed must be a whole number from 0 to/],
    'no database': [
      ['export', '--database', 'sqlite:none.db'],
      /there is no database sqlite:\S+none\.db: name the one/,
    ],
    'a database in memory': [['seed', '1', '--database', 'sqlite::memory:'], /in memory can only be used by/],
    'the database as the file': [['export', 'pets.db', '--format', 'csv'], /pets\.db is the database itself/],
    'its -wal as the file': [['export', './pets.db-wal', '--format', 'csv'], /is the database itself/],
    '--update with --keep-ids': [['import', 'a.csv', '--update', '--keep-ids'], /use one of the two/],
    '--rejected alone': [['import', 'a.csv', '--rejected', 'r.csv'], /--rejected needs --skip-invalid/],
  };

  it('is one line that says what to do, and exit code 2', async (t) => {
    const { write, run, pets, folder } = await start(t);
    await run(0, 'seed', '3', '--create');
    await write('a.csv', 'id,name,categoryId\n1,Rex,1\n');
    await write('a.txt', '');
    for (const [what, [args, message]] of Object.entries(calls)) {
      const { stdout, stderr } = await run(2, ...args);
      assert.match(stderr, /^animal-store: [^\n]+\n$/, what);
      assert.match(stderr, message, what);
      assert.equal(stdout, '', what);
    }
    assert.equal((await pets()).length, 3);
    assert.deepEqual((await readdir(folder)).sort(), ['a.csv', 'a.txt', 'pets.db']);
  });

  it('with a folder as standard input says so', async (t) => {
    const { folder, database, run } = await start(t);
    await run(0, 'seed', '1', '--create');
    const stdin = openSync(folder, 'r');
    t.after(() => closeSync(stdin));
    const { status, stderr } = spawnSync(process.execPath, [MAIN, 'import', '-', '--format', 'ndjson'], {
      env: { PATH: process.env.PATH, DATABASE_URL: database },
      stdio: [stdin, 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    assert.deepEqual([status, stderr], [2, 'animal-store: standard input is a folder: give a file\n']);
  });

  it('with ids that cannot be kept imports nothing', async (t) => {
    const { write, run, pets } = await start(t);
    await write('range.csv', 'id,name,categoryId\n0,Rex,1\n9223372036854775806,Kit,1\n');
    const range = await run(1, 'import', 'range.csv', '--keep-ids', '--create');
    assert.match(
      range.stderr,
      /^line 2: id must be from 1 to 9223371036854775807, so that ids remain [^\n]*\nline 3: id must be from/,
    );
    assert.deepEqual(await pets(), []);
  });
});

it('The hint about API keys does not fail a command that has done its work', async (t) => {
  const { database } = await start(t);
  const io = { ...processIo(), stdout: new PassThrough() };
  const config = { ...readConfig([], {}, {}), database };
  await hintAboutKeys({ config, flags: {}, positionals: [], io });
});

it('animal-store seed names the categories, and uses those of the store that have these names', async (t) => {
  const { database, run, write } = await start(t);
  await write('dogs.csv', 'name,category\nRex,dogs\n');
  await run(0, 'import', '--create', 'dogs.csv');
  const store = await openStore(database);
  t.after(() => store.close());
  await store.setCategory({ id: 2n, name: 'Parrots' });
  const { stdout } = await run(0, 'seed', '1000', '--seed', '7');
  assert.match(stdout, /^Added 1,000 sample animals in .* \(seed 7\)\.\nThe store has no API key yet/);
  const categories = await listCategories(store, { limit: 9 });
  const names = ['Birds', 'Cats', 'dogs', 'Fish', 'Parrots', 'Reptiles', 'Small mammals'];
  assert.deepEqual(
    categories.map(({ name }) => name),
    names,
  );
  assert.equal(new Set(categories.map(({ id }) => id)).size, names.length);
  const { available } = await store.countPets();
  assert.equal(available, 1001n, 'no animal is reserved or sold without an order');
  const hint = async (env = {}) =>
    (await runCommand(['seed', '1'], { DATABASE_URL: database, ...env })).stdout.split('\n')[1];
  assert.equal(await hint({ API_KEYS: 'a-configured-key-of-the-shop' }), '');
  await run(0, 'keys', 'create', '--name', 'till 3');
  assert.equal(await hint(), '');
  await run(0, 'keys', 'revoke', '1');
  assert.match(
    (await hint()) ?? '',
    /^The store has no valid API key\. Create one: animal-store keys create /,
  );
});
