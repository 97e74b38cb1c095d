import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Script } from 'node:vm';
import { loadPages } from '../../src/web/assets.ts';
import { link } from '../../src/web/build/link.ts';
import { temporaryFolder } from '../support/service.ts';

/** The modules as one script, from `main.ts` on. */
async function linkAll(t: TestContext, modules: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder(t);
  for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, name), text);
  return link(pathToFileURL(join(folder, 'main.ts')));
}

/** What the script reports when it runs. */
function run(code: string): string[] {
  const seen: string[] = [];
  new Script(code).runInNewContext({ report: (text: string) => seen.push(text) });
  return seen;
}

describe('Linking the modules of a page', () => {
  it('runs every module once, in the order of ES modules, with its names', async (t) => {
    const code = await linkAll(t, {
      'main.ts':
        "import { a as first, type T } from './a.ts';\nimport { b, c } from './b.ts';\nconst x: T = 1;\nreport([first, b(), new c().name, x].join(' '));\n",
      'a.ts':
        "import { b } from './b.ts';\n/** A comment\n * of two lines. */\nreport('a');\nexport type T = number;\nexport const a = b();\n",
      'b.ts':
        "report('b');\nconst hidden = 'from b';\nexport async function unused(): Promise<void> {}\nexport function b(): string {\n  return hidden;\n}\nexport { C as c } from './c.ts';\n",
      'c.ts': "report('c');\nclass C {\n  name = 'from c';\n}\nexport { C };\n",
    });
    assert.deepEqual(run(code), ['c', 'b', 'a', 'from b from b from c 1']);
    assert.doesNotMatch(code, /of two lines/);
  });

  it('keeps equal names of different modules apart', async (t) => {
    const code = await linkAll(t, {
      'main.ts': "import { get } from './a.ts';\nconst value = 'main';\nreport(get() + value);\n",
      'a.ts': "const value = 'a';\nexport const get = () => value;\n",
    });
    assert.deepEqual(run(code), ['amain']);
  });

  const unsupported = {
    'a default export': 'export default 1;\n',
    'a binding that can change': 'export let a = 1;\n',
    'a whole namespace': "import * as all from './main.ts';\n",
    'an export of everything': "export * from './main.ts';\n",
  };
  for (const [what, text] of Object.entries(unsupported)) {
    it(`refuses ${what} instead of linking it wrongly`, async (t) => {
      await assert.rejects(linkAll(t, { 'main.ts': text }), /Cannot link .*main\.ts/);
    });
  }
});

describe('The pages', () => {
  it('are made from the sources, with scripts that are whole and names that follow their text', async () => {
    const pages = await loadPages();
    const scripts = [...pages].filter(([path]) => path.endsWith('.js'));
    assert.equal(scripts.length, 2);
    for (const [path, { bodies }] of scripts)
      assert.ok(new Script(bodies.identity.toString(), { filename: path }));
    assert.equal(await loadPages(), pages, 'made once');
  });

  it('are made without a word on standard error', async () => {
    const module = JSON.stringify(new URL('../../src/web/assets.ts', import.meta.url).href);
    const program = `const { loadPages } = await import(${module}); console.log((await loadPages()).size);`;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      program,
    ]);
    assert.deepEqual([stdout, stderr], ['6\n', '']);
  });
});
