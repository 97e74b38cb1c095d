import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { temporaryFolder } from '../support/service.ts';
import { isRootWith } from '../support/tools.ts';
import { run, runOrFail } from './support/commands.ts';
import { assertPageLoads, runClient, serve } from './support/installed-service.ts';
import { makePackage, type Package, ROOT } from './support/package.ts';
import { withNode } from './support/runtimes.ts';

const MAX_PACKED_BYTES = 200_000;
/** An account that owns no file. */
const OTHER_ACCOUNT = 65_534;
const NEEDS_NEWER_NODE = /^animal-store: needs Node 24 or later, and this is Node 20\.[\d.]+: .*\n$/;

let made: Package;
before(async () => {
  made = await makePackage();
});
after(() => made.remove());

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
    assert.deepEqual([...top].sort(), ['LICENSE', 'README.md', 'bin', 'dist', 'package.json']);
    assert.deepEqual(
      files.filter((file) => /(?<!\.d)\.ts$|tsconfig/.test(file)),
      [],
    );
  });

  it('passes publint and Are The Types Wrong', async () => {
    const tarball = new Uint8Array(await readFile(made.tarball)).buffer;
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
    assert.deepEqual(
      messages.map((message) => formatMessage(message, pkg ?? {}, { color: false })),
      [],
    );
    const attw = join(ROOT, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    await runOrFail([process.execPath, attw, made.tarball, '--profile', 'esm-only'], { cwd: made.checkout });
  });

  it('can be published without a warning', async () => {
    // To an address where no registry is, so that the test cannot publish anything.
    const nowhere = ['--registry', 'http://127.0.0.1:9', '--fetch-retries', '0'];
    const command = ['npm', 'publish', '--dry-run', '--ignore-scripts', ...nowhere];
    const { code, stderr } = await run(command, { cwd: made.checkout });
    const warnings = stderr.split('\n').filter((line) => !/^$|requires you to be logged in/.test(line));
    assert.deepEqual([code, warnings], [0, []]);
  });

  it('has type declarations that compile strictly, without skipLibCheck', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const options = '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --module nodenext';
    const program = (id: string) => `import { AnimalStore, type Pet } from 'animal-store/client';
      const store = new AnimalStore({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'key' });
      export const pet: Promise<Pet> = store.getPet(${id});
      export const id: Promise<bigint> = pet.then(({ id }) => id);\n`;
    await writeFile(join(made.installed, 'right.mts'), program('1n'));
    await writeFile(join(made.installed, 'wrong.mts'), program("'1'"));
    const files = ['--lib', 'esnext,dom', 'right.mts', 'wrong.mts'];
    const { stdout } = await run([process.execPath, tsc, ...options.split(' '), ...files], {
      cwd: made.installed,
    });
    assert.match(stdout, /^wrong\.mts.*TS2345.*\n$/);
  });

  for (const [node, client, flags] of [
    [24, 20, []],
    [26, 24, ['--workers', '2']],
  ] as const) {
    if (node === 26 && process.env.TEST_FAULTS === undefined) continue;
    const title = ['serves', ...flags, `on Node ${node}`, `to the client on Node ${client}`].join(' ');
    it(`${title}; imports and exports`, async (t) => {
      const { installed: cwd, runtimes } = made;
      const service = await serve(t, ['npx', 'animal-store', 'serve', ...flags], cwd, runtimes[node]);
      const { origin, env, output } = service;
      assert.doesNotMatch(output(), /warning/i);
      const animalStore = (...args: string[]) => runOrFail(['npx', 'animal-store', ...args], { cwd, env });
      const key = /anst_\w+/.exec(await animalStore('keys', 'create', '--name', 'till'))?.[0] ?? '';
      await waitUntilAccepted(origin, key);
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

  it('names the version it needs in one line on an older Node', async () => {
    const env = withNode(made.runtimes[20]);
    const { code, stdout, stderr } = await run(['npx', 'animal-store', 'serve'], {
      cwd: made.installed,
      env,
    });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, NEEDS_NEWER_NODE);
  });

  it('works for an account that does not own its files', async (t) => {
    if (!isRootWith(t)) return;
    const { installed, runtimes } = made;
    assert.match(await createKeyAsOther(t, ['npx', 'animal-store'], installed, runtimes[26]), /anst_\w+/);
  });
});

describe('A checkout without development dependencies', { timeout: 240_000 }, () => {
  it('serves with npm start on Node 24', async (t) => {
    const { origin, stop } = await serve(t, ['npm', 'start'], made.production, made.runtimes[24]);
    for (const path of ['/', '/docs']) await assertPageLoads(origin, path);
    await stop();
  });

  it('names the version it needs in one line on an older Node', async () => {
    const env = withNode(made.runtimes[20]);
    const { code, stderr } = await run(['npm', 'start', '--silent'], { cwd: made.production, env });
    assert.equal(code, 1);
    assert.match(stderr, NEEDS_NEWER_NODE);
  });

  it('runs a command for an account that does not own its files', async (t) => {
    if (!isRootWith(t)) return;
    const { production, runtimes } = made;
    assert.match(await createKeyAsOther(t, ['bin/animal-store.js'], production, runtimes[24]), /anst_\w+/);
  });
});

/** A new key works within a second. */
async function waitUntilAccepted(origin: string, key: string): Promise<void> {
  const isAccepted = async () =>
    (await fetch(`${origin}/v1/pets`, { headers: { authorization: `Bearer ${key}` } })).ok;
  for (const end = Date.now() + 15_000; Date.now() < end && !(await isAccepted()); ) await sleep(100);
}
