import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { generated } from '../../scripts/docs.ts';
import { parseEventId } from '../../src/contract/event-id.ts';
import { find, pages, ROOT, read, sources } from './support/pages.ts';

describe('What the documents name exists', () => {
  for (const page of pages) {
    it(`${page}: tests, scripts and source files`, () => {
      /** Forms of a name. */
      const placeholders = ['src/cli/NAME.ts', '.slow.test.ts', '.alone.test.ts'];
      const named = read(page).match(/(?<![\w/.*-])[\w/.-]+\.(?:tsx?|sql)\b/g) ?? [];
      const exists = (path: string) =>
        placeholders.includes(path) || sources.some((file) => file === path || file.endsWith(`/${path}`));
      const paths = new Set(named.map((path) => path.replace(/^(?:\.\.?\/)+/, '')));
      assert.deepEqual(
        [...paths].filter((path) => !exists(path)),
        [],
      );
    });

    it(`${page}: folders and scripts of npm`, () => {
      const folders = [
        ...read(page).matchAll(/`((?:src|test|bench|scripts|demo|deploy|docs|bin)\/[\w/-]*\/)`/g),
      ];
      const missing = folders
        .map(([, folder = '']) => folder)
        .filter((folder) => !existsSync(join(ROOT, folder)));
      const scripts = [...read(page).matchAll(/\bnpm run ([\w:]*\w)/g)].map(([, script = '']) => script);
      assert.deepEqual([...missing, ...scripts.filter((script) => !(script in manifest.scripts))], []);
    });
  }

  it('in the map of docs/architecture.md: every file and folder, and no folder of src/ is missing there', () => {
    const [, map = ''] = /^```\n(.*?)^```$/ms.exec(read('docs/architecture.md')) ?? [];
    const folders: string[] = [];
    const paths = map
      .trimEnd()
      .split('\n')
      .map((line) => {
        folders.length = line.search(/\S/) / 2;
        folders.push(line.trim().split(/[\s,]/)[0] ?? '');
        return join(...folders);
      });
    assert.deepEqual(
      [
        paths.filter((path) => !existsSync(join(ROOT, path))),
        find('src/*/').filter((path) => !paths.includes(`${path}/`) && !/\.\w+$/.test(path)),
      ],
      [[], []],
    );
  });

  it('CONTRIBUTING.md names every file that npm run docs writes', () => {
    const line = /^npm run docs .*$/m.exec(read('CONTRIBUTING.md'))?.[0] ?? '';
    const names = Object.keys(generated).map((path) => basename(path));
    assert.deepEqual(
      names.filter((name) => !line.includes(name)),
      [],
    );
  });

  it('events: every id in an example is one that the service accepts', () => {
    // The id of an event is longer than a cursor, which can begin in the same way.
    const ids = [...pages, 'docs/openapi.json'].flatMap(
      (page) => read(page).match(/\bA{10}[\w-]{20,}/g) ?? [],
    );
    assert.ok(ids.length > 3, `${ids.length} ids`);
    assert.deepEqual(
      ids.filter((id) => !parseEventId(id)),
      [],
    );
  });

  it('metrics', () => {
    const code = sources
      .filter((file) => /^src\/.*\.ts$/.test(file))
      .map(read)
      .join('\n');
    const names = [...pages, 'deploy/alerts.yml', 'deploy/grafana-dashboard.json']
      .flatMap(
        (page) => read(page).match(/\b(?:animal_store|nodejs|process|http_server)_[a-z_]+_[a-z]+\b/g) ?? [],
      )
      .map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
    assert.ok(names.length > 30, `${names.length} names`);
    assert.deepEqual(
      [...new Set(names)].filter((name) => !code.includes(`'${name}'`)),
      [],
    );
  });

  it('docs/console.md: the words on buttons and links', () => {
    const page = read('docs/console.md');
    const texts = sources
      .filter((file) => /^src\/web\/.*\.tsx?$/.test(file))
      .map(read)
      .join('\n')
      .replaceAll(/\$\{\w+\}/g, '');
    const labels = [...page.replaceAll('\n', ' ').matchAll(/\*\*([A-Z][^*…]*)…?\*\*/g)].map(
      ([, label = '']) => label,
    );
    /** What a person wants to do, by a button with a sign or by one that is only called Cancel. */
    const tasks = ['Change a note', 'Cancel a reservation'];
    assert.ok(labels.length > 20, `${labels.length} labels`);
    assert.deepEqual(
      labels.filter((label) => !texts.includes(label) && !tasks.includes(label)),
      [],
    );
  });
});
