import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { bundlePages } from '../../src/web/bundle.ts';
import { readSite, writeSite } from '../../src/web/site.ts';
import { temporaryFolder } from '../support/service/service.ts';
import { isWholeModule } from '../support/whole-module.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Runs a program that has `loadPages` of the checkout in `folder`. */
async function withPages(folder: string, program: string) {
  const module = JSON.stringify(pathToFileURL(join(folder, 'src/web/assets.ts')));
  const code = `const { loadPages } = await import(${module}); ${program}`;
  return promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
}

describe('The files of the pages', () => {
  it('are named by the digest of their text, in scripts that are whole and without source maps', async () => {
    const files = await bundlePages();
    assert.deepEqual(
      [...files.keys()].filter((path) => !path.startsWith('/assets/')),
      ['/', '/docs'],
    );
    const assets = [...files].filter(([path]) => path.startsWith('/assets/'));
    const extensions = assets.map(([path]) => path.split('.')[1]).toSorted();
    assert.equal(extensions.join(' '), 'css css js js js svg');
    for (const [path, text] of assets) {
      // esbuild names what both pages load by a digest of its own.
      const isShared = /^\/assets\/shared-[A-Z0-9]{8}\.js$/.test(path);
      assert.ok(isShared || path.startsWith(`/assets/${hash('sha256', text).slice(0, 16)}.`), path);
      assert.doesNotMatch(text, /sourceMappingURL|\/dev\//);
      if (!path.endsWith('.js')) continue;
      assert.ok(isWholeModule(text), path);
      for (const [, imported = ''] of text.matchAll(/from"\.\/([^"]+)"/g))
        assert.ok(files.has(`/assets/${imported}`), imported);
    }
  });

  it('are the same after they were written into the package and read from it', async (t) => {
    const folder = await temporaryFolder(t);
    const files = await bundlePages();
    await writeSite(folder, files);
    const read = [...(await readSite(folder))].map(([path, { identity }]) => [path, identity.toString()]);
    assert.deepEqual(read.toSorted(), [...files].toSorted());
  });

  it('are made once, without a word on standard error, and leave no process behind', async () => {
    const program = `const pages = await loadPages();
      console.log(pages.size, pages === await loadPages(), process.getActiveResourcesInfo().includes('ProcessWrap'));`;
    const { stdout, stderr } = await withPages(ROOT, program);
    assert.deepEqual([stdout, stderr], ['8 true false\n', '']);
  });

  it('say in one line how to get them where esbuild is not installed', async (t) => {
    const folder = await temporaryFolder(t);
    await cp(join(ROOT, 'src'), join(folder, 'src'), { recursive: true });
    await mkdir(join(folder, 'node_modules'));
    await symlink(join(ROOT, 'node_modules/valibot'), join(folder, 'node_modules/valibot'));
    const program = 'await loadPages().catch(({ code, message }) => console.log(code, message));';
    const { stdout } = await withPages(folder, program);
    assert.match(stdout, /^not_found .*Run `npm ci --include=dev`.*\n$/);
  });
});
