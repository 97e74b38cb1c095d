import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { launch } from '../support/launch.ts';
import { call, temporaryFolder } from '../support/service.ts';
import { isRootWith } from '../support/tools.ts';
import { run, runOrFail } from './support/commands.ts';
import { makePackage, type Package, ROOT } from './support/package.ts';
import { withNode } from './support/runtimes.ts';

const MAX_PACKED_BYTES = 200_000;
/** An account that owns no file. */
const OTHER_ACCOUNT = 65_534;
const NEEDS_NEWER_NODE = /^animal-store: needs Node 24 or later, and this is Node 20\.[\d.]+: .*\n$/;
const SCENARIO = pathToFileURL(join(ROOT, 'test/client/support/scenario.js')).href;

let made: Package;
before(async () => {
  made = await makePackage();
});
after(() => made.remove());

/** Starts a command that serves, in `cwd`, with the Node of the folder `node`. The data is in a folder of its own. */
async function serve(t: TestContext, command: readonly string[], cwd: string, node: string) {
  const data = await temporaryFolder(t);
  const env = { ...withNode(node), PORT: '0', DATABASE_URL: `sqlite:${join(data, 'pets.db')}` };
  const { child, printed, ended, output } = launch(t, command, { cwd, env });
  const [, origin = ''] = await printed(/listens on (http:\/\/[^/]+)\/v1/);
  const stop = async () => {
    // As a container does: npm and the service receive the signal.
    process.kill(-(child.pid ?? 0), 'SIGTERM');
    await ended();
    assert.deepEqual(await readdir(data), ['pets.db'], `the database was closed: ${output()}`);
  };
  return { origin, env, output, stop };
}

/** Runs the test scenario of the client with the installed client. */
async function runClient(origin: string, apiKey: string, node: string): Promise<string> {
  const program = `import * as client from 'animal-store/client';
    import { scenario } from ${JSON.stringify(SCENARIO)};
    console.log(await scenario(client, ${JSON.stringify({ baseUrl: `${origin}/v1`, apiKey })}));`;
  return runOrFail([join(node, 'node'), '--input-type=module', '-e', program], { cwd: made.installed });
}

/** The page and the scripts that it loads. */
async function assertPageLoads(origin: string, path: string): Promise<void> {
  const page = await call(origin, 'GET', path, { key: null });
  assert.equal(page.status, 200, path);
  const [, script = ''] = /<script type="module" src="([^"]+)"/.exec(page.text) ?? [];
  const { status, text } = await call(origin, 'GET', `/${script}`, { key: null });
  assert.equal(status, 200, script);
  assert.ok(new Script(text), 'the script is whole');
}

describe('The npm package', { timeout: 240_000 }, () => {
  it('contains what is needed at run time, and is small', async () => {
    const bytes = await readFile(made.tarball);
    assert.ok(bytes.length < MAX_PACKED_BYTES, `${bytes.length} bytes`);
    const folder = join(made.installed, 'node_modules/animal-store');
    assert.deepEqual((await readdir(folder)).sort(), ['LICENSE', 'README.md', 'bin', 'dist', 'package.json']);
    const files = await readdir(folder, { recursive: true });
    assert.deepEqual(
      files.filter((file) => /(?<!\.d)\.ts$|tsconfig/.test(file)),
      [],
    );
  });

  it('passes publint and Are The Types Wrong', async () => {
    const tarball = (await readFile(made.tarball)).buffer as ArrayBuffer;
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
    const flags = [
      '--dry-run',
      '--ignore-scripts',
      '--registry',
      'http://127.0.0.1:9',
      '--fetch-retries',
      '0',
    ];
    const { code, stderr } = await run(['npm', 'publish', ...flags], { cwd: made.checkout });
    const warnings = stderr
      .split('\n')
      .filter((line) => line !== '' && !line.includes('requires you to be logged in'));
    assert.deepEqual([code, warnings], [0, []]);
  });

  it('has type declarations that compile strictly, without skipLibCheck', async (t) => {
    const folder = made.installed;
    const tsc = [
      process.execPath,
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      '--ignoreConfig',
      '--noEmit',
    ];
    const options = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--module',
      'nodenext',
      '--lib',
      'esnext,dom',
    ];
    const compile = async (name: string, text: string) => {
      await writeFile(join(folder, name), text);
      return run([...tsc, ...options, name], { cwd: folder });
    };
    const program = (id: string) => `import { AnimalStore, type Pet } from 'animal-store/client';
      const store = new AnimalStore({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'key' });
      export const pet: Promise<Pet> = store.getPet(${id});
      export const id: Promise<bigint> = pet.then(({ id }) => id);\n`;
    const right = await compile('right.mts', program('1n'));
    assert.deepEqual([right.code, right.stdout], [0, '']);
    const wrong = await compile('wrong.mts', program("'1'"));
    assert.match(wrong.stdout, /wrong\.mts.*TS2345/);
    t.diagnostic(wrong.stdout.trim());
  });

  for (const [node, client, flags] of [
    [24, 20, []],
    [26, 24, ['--workers', '2']],
  ] as const) {
    const title = ['serves', ...flags, `on Node ${node}`, `to the client on Node ${client}`].join(' ');
    it(title, async (t) => {
      const { installed, runtimes } = made;
      const command = ['npx', 'animal-store'];
      const { origin, env, output, stop } = await serve(
        t,
        [...command, 'serve', ...flags],
        installed,
        runtimes[node],
      );
      assert.match(output(), /^Animal Store \S+ listens on .*\nDatabase: .*\n/m);
      assert.doesNotMatch(output(), /warning/i);
      const key = await runOrFail([...command, 'keys', 'create', '--name', 'till'], { cwd: installed, env });
      const apiKey = /anst_\w+/.exec(key)?.[0] ?? '';
      assert.equal(await runClient(origin, apiKey, runtimes[client]), 'passed with 5 animals\n');
      for (const path of ['/', '/docs']) await assertPageLoads(origin, path);
      await stop();
    });
  }

  it('names the version it needs in one line on an older Node', async () => {
    const { code, stdout, stderr } = await run(['npx', 'animal-store', 'serve'], {
      cwd: made.installed,
      env: withNode(made.runtimes[20]),
    });
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, NEEDS_NEWER_NODE);
  });

  it('works for an account that does not own its files', async (t) => {
    if (!isRootWith(t)) return;
    const data = await temporaryFolder(t);
    const env = {
      ...withNode(made.runtimes[26]),
      DATABASE_URL: `sqlite:${join(data, 'pets.db')}`,
      HOME: data,
    };
    const command = ['chown', String(OTHER_ACCOUNT), data];
    await runOrFail(command, { cwd: data });
    const { code, stdout, stderr } = await run(
      ['npx', 'animal-store', 'keys', 'create', '--name', 'till', '--create'],
      {
        cwd: made.installed,
        env,
        uid: OTHER_ACCOUNT,
      },
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /anst_\w+/);
  });
});

describe('A checkout without development dependencies', { timeout: 240_000 }, () => {
  it('serves with npm start on Node 24', async (t) => {
    const { origin, stop } = await serve(t, ['npm', 'start'], made.production, made.runtimes[24]);
    for (const path of ['/', '/docs']) await assertPageLoads(origin, path);
    await stop();
  });

  it('names the version it needs in one line on an older Node', async () => {
    const { code, stderr } = await run(['npm', 'start', '--silent'], {
      cwd: made.production,
      env: withNode(made.runtimes[20]),
    });
    assert.equal(code, 1);
    assert.match(stderr, NEEDS_NEWER_NODE);
  });

  it('runs a command for an account that does not own its files, as documented', async (t) => {
    if (!isRootWith(t)) return;
    const data = await temporaryFolder(t);
    await runOrFail(['chown', String(OTHER_ACCOUNT), data], { cwd: data });
    const env = {
      ...withNode(made.runtimes[24]),
      DATABASE_URL: `sqlite:${join(data, 'pets.db')}`,
      HOME: data,
    };
    const command = ['bin/animal-store.js', 'keys', 'create', '--name', 'till', '--create'];
    const { code, stdout, stderr } = await run(command, { cwd: made.production, env, uid: OTHER_ACCOUNT });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /anst_\w+/);
  });
});
