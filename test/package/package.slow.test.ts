import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packedPage } from '../../scripts/package-pages.ts';
import { assertError } from '../support/assert.ts';
import { eventually } from '../support/eventually.ts';
import { call, temporaryFolder } from '../support/service/service.ts';
import { isRootWith } from '../support/service/tools.ts';
import { installTools, run, runOrFail } from './support/commands.ts';
import { assertPageLoads, runClient, serve } from './support/installed-service.ts';
import { makePackage, type Package, ROOT } from './support/package.ts';
import { findRuntime, withNode } from './support/runtimes.ts';

const MAX_PACKED_BYTES = 350_000;
/** The oldest TypeScript that the client's declarations are for. */
const OLDEST_TYPESCRIPT = '5.0.4';
/** An account that owns no file. */
const OTHER_ACCOUNT = 65_534;

const folder = await temporaryFolder({ after });
let made: Package;
before(async () => {
  made = await makePackage(folder);
});

/** Creates a key as another account, which owns the database and nothing else. */
async function createKeyAsOther(t: TestContext, command: readonly string[], cwd: string, node: string) {
  const data = await temporaryFolder(t);
  await runOrFail(['chown', String(OTHER_ACCOUNT), data], { cwd });
  const env = { ...withNode(node), DATABASE_URL: `sqlite:${join(data, 'pets.db')}`, HOME: data };
  const key = ['keys', 'create', '--name', 'till', '--create'];
  return runOrFail([...command, ...key], { cwd, env, uid: OTHER_ACCOUNT });
}

describe('The npm package', { timeout: 240_000 }, () => {
  it('contains what is needed at run time, and is small', async () => {
    const bytes = await readFile(made.tarball);
    assert.ok(bytes.length < MAX_PACKED_BYTES, `${bytes.length} bytes`);
    const files = (await runOrFail(['tar', '-tzf', made.tarball], { cwd: made.checkout })).trim().split('\n');
    const top = new Set(files.map((file) => file.split('/')[1]));
    assert.equal([...top].sort().join(), 'CHANGELOG.md,LICENSE,README.md,bin,deploy,dist,docs,package.json');
    const shipped = (await readdir(join(ROOT, 'deploy'))).map((name) => `package/deploy/${name}`);
    assert.deepEqual(
      shipped.filter((file) => !files.includes(file)),
      [],
    );
    assert.deepEqual(
      files.filter((file) => /(?<!\.d)\.ts$|tsconfig/.test(file)),
      [],
    );
  });

  it('has pages that link to what it has, and leaves those of the checkout as they were', () => {
    const installed = join(made.installed, 'node_modules/animal-store');
    const pages = globSync('{*,docs/*}.md', { cwd: installed });
    assert.ok(pages.length > 15, pages.join(', '));
    for (const page of pages) {
      const [packed, left, ours] = [installed, made.checkout, ROOT].map((folder) =>
        readFileSync(join(folder, page), 'utf8'),
      );
      assert.equal(packed, packedPage(page, ours ?? ''));
      assert.equal(left, ours);
    }
  });

  it('is installed without a warning, for example about a script that it would run', () => {
    assert.equal(made.warnings, '');
  });

  it('passes publint and Are The Types Wrong', async () => {
    const tarball = new Uint8Array(await readFile(made.tarball)).buffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    assert.deepEqual(
      messages.map((message) => formatMessage(message, pkg ?? {}, { color: false })),
      [],
    );
    const attw = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    await runOrFail([process.execPath, attw, made.tarball, '--profile', 'node16'], { cwd: made.checkout });
  });

  it('can be published without a warning', async () => {
    // To an address where no registry is, so that the test cannot publish anything.
    const nowhere = ['--registry', 'http://127.0.0.1:9', '--fetch-retries', '0'];
    const command = ['npm', 'publish', '--dry-run', '--ignore-scripts', ...nowhere];
    const { code, stderr } = await run(command, { cwd: made.checkout });
    const warnings = stderr.split('\n').filter((line) => !/^$|requires you to be logged in/.test(line));
    assert.deepEqual([code, warnings], [0, []]);
  });

  for (const version of [OLDEST_TYPESCRIPT, 'of this project']) {
    it(`has type declarations that compile strictly, without skipLibCheck: TypeScript ${version}`, async (t) => {
      const isOwn = version !== OLDEST_TYPESCRIPT;
      const home = isOwn ? ROOT : await installTools(t, `typescript@${OLDEST_TYPESCRIPT}`);
      const tsc = join(home, 'node_modules/typescript/bin/tsc');
      const program = (id: string) => `import { AnimalStore, type Pet } from 'animal-store/client';
        const store = new AnimalStore({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'key' });
        export const pet: Promise<Pet> = store.getPet(${id});
        export const id: Promise<bigint> = pet.then(({ id }) => id);\n`;
      const always = `${isOwn ? '--ignoreConfig ' : ''}--noEmit --strict --exactOptionalPropertyTypes`;
      for (const [extension, options] of [
        ['mts', '--module nodenext'],
        ['mts', '--module node16 --moduleResolution node16'],
        ['cts', '--module node16 --moduleResolution node16'],
        ['ts', '--module esnext --moduleResolution bundler'],
      ] as const) {
        const files = [`right.${extension}`, `wrong.${extension}`];
        await writeFile(join(made.installed, files[0] ?? ''), program('1n'));
        await writeFile(join(made.installed, files[1] ?? ''), program("'1'"));
        const args = `${always} --target es2022 --lib es2022,dom ${options}`.split(' ');
        const { stdout } = await run([process.execPath, tsc, ...args, ...files], { cwd: made.installed });
        assert.match(stdout, /^wrong\.[mc]?ts.*TS2345.*\n$/, `${extension} ${options}`);
      }
    });
  }

  it('has a client for CommonJS, on Node 22', async () => {
    const program = `const { AnimalStore, AnimalStoreError } = require('animal-store/client');
      new AnimalStore({ baseUrl: 'http://127.0.0.1:2/v1', apiKey: 'key', maxRetries: 0 })
        .listPets().catch((error) => console.log(error instanceof AnimalStoreError, error.code));`;
    const command = [join(made.runtimes[22], 'node'), '-e', program];
    assert.equal(await runOrFail(command, { cwd: made.installed }), 'true network_error\n');
  });

  it('can be installed on Node 22 for its client, also where engines are enforced', async (t) => {
    const cwd = await temporaryFolder(t);
    const env = withNode(made.runtimes[22]);
    await runOrFail(['npm', 'install', '--prefer-offline', '--engine-strict', made.tarball], { cwd, env });
  });

  for (const [node, client] of [
    [24, 22],
    [26, 24],
  ] as const) {
    if (node === 26 && process.env.TEST_FAULTS === undefined) continue;
    it(`serves on Node ${node} to the client on Node ${client}; imports and exports`, async (t) => {
      const { installed: cwd, runtimes } = made;
      const service = await serve(t, ['npx', 'animal-store', 'serve'], cwd, runtimes[node]);
      const { origin, env, output } = service;
      assert.doesNotMatch(output(), /warning/i);
      const animalStore = (...args: string[]) => runOrFail(['npx', 'animal-store', ...args], { cwd, env });
      const key = /anst_\w+/.exec(await animalStore('keys', 'create', '--name', 'till'))?.[0] ?? '';
      const isAccepted = async () => (await call(origin, 'GET', '/v1/pets', { key })).status === 200;
      await eventually(isAccepted, 'the new key is accepted');
      assert.equal(await runClient(cwd, origin, key, runtimes[client]), 'passed with 5 animals\n');
      for (const path of ['/', '/docs']) await assertPageLoads(origin, path);
      const file = join(await temporaryFolder(t), 'animals.csv');
      await writeFile(file, 'name,categoryId\n=Kit,9007199254740993\n');
      await animalStore('import', file);
      const exported = (await animalStore('export')).trim().split('\n');
      assert.equal(exported.length, 6);
      assert.match(exported.at(-1) ?? '', /"name":"=Kit","categoryId":9007199254740993/);
      await service.stop();
    });
  }

  it('opens no file with an SQLite that can damage it, and says what to install', async (t) => {
    const data = await temporaryFolder(t);
    // Its SQLite is 3.50.4.
    const node = await findRuntime('25.0', join(data, 'node'));
    const [file, other] = ['pets.db', 'other.db'].map((name) => join(data, name)) as [string, string];
    await writeFile(file, '');
    const on = (path: string, command: string) => [...command.split(' '), '--database', `sqlite:${path}`];
    for (const args of [
      on(other, 'serve'),
      on(other, 'keys create --name till --create'),
      on(file, 'keys list'),
      on(file, 'seed 1'),
      on(file, 'export'),
      on(file, `backup ${other}`),
      on(other, `restore ${file}`),
      on(file, 'categories merge 1 --into 2'),
      [...on(file, 'move'), '--to', `sqlite:${other}`],
      on(file, 'doctor'),
    ]) {
      const command = [join(node, 'node'), 'node_modules/animal-store/bin/animal-store.js', ...args];
      const { code, stdout, stderr } = await run(command, { cwd: made.installed });
      assert.match(`${stdout}${stderr}`, /SQLite 3\.50\.4 can damage .*: install the newest Node/);
      assert.equal(code, args[0] === 'doctor' ? 1 : 2, args.join(' '));
    }
    assert.deepEqual(await readdir(data), ['node', 'pets.db']);
  });

  it('works for an account that does not own its files', async (t) => {
    if (!isRootWith(t)) return;
    const { installed, runtimes } = made;
    assert.match(await createKeyAsOther(t, ['npx', 'animal-store'], installed, runtimes[26]), /anst_\w+/);
  });
});

describe('A checkout without development dependencies', { timeout: 240_000 }, () => {
  it('serves the API with npm start on Node 24, and says how to get the pages', async (t) => {
    const { origin, output, stop } = await serve(t, ['npm', 'start'], made.production, made.runtimes[24]);
    assert.match(
      output(),
      /^Database: .*\nThis checkout cannot show its pages, .* Run `npm ci --include=dev`/m,
    );
    assertError(await call(origin, 'GET', '/v1/pets', { key: null }), 401, 'unauthorized');
    for (const path of ['/', '/docs']) {
      const answer = await call(origin, 'GET', path, { key: null });
      assertError(answer, 404, 'not_found');
      assert.match(answer.text, /Run `npm ci --include=dev`/);
    }
    await stop();
  });

  it('names the version it needs in one line on an older Node', async () => {
    const env = withNode(made.runtimes[22]);
    const { code, stderr } = await run(['npm', 'start', '--silent'], { cwd: made.production, env });
    assert.equal(code, 2);
    assert.match(stderr, /^animal-store: needs Node 24\.15 or later, and this is Node 22\.[\d.]+: .*\n$/);
  });

  it('runs a command for an account that does not own its files', async (t) => {
    if (!isRootWith(t)) return;
    const { production, runtimes } = made;
    assert.match(await createKeyAsOther(t, ['bin/animal-store.js'], production, runtimes[24]), /anst_\w+/);
  });
});
