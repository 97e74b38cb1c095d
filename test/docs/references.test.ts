import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { generated } from '../../scripts/docs.ts';
import { settings } from '../../src/config.ts';
import { parseEventId } from '../../src/contract/event-id.ts';
import { describe as describeOperation } from '../../src/contract/openapi/operation-object.ts';
import { componentSchemas } from '../../src/contract/openapi/schemas.ts';
import { operations } from '../../src/contract/operations/all.ts';
import { find, pages, ROOT, read, sources } from './support/pages.ts';

/** All of it. */
const code = find('src/**/*.ts').map(read).join('\n');

describe('What the documents name exists', () => {
  for (const page of pages) {
    it(`${page}: files, folders and scripts of npm`, () => {
      /** Forms of a name. */
      const placeholders = ['src/cli/NAME.ts', '.slow.test.ts', '.alone.test.ts'];
      const named = read(page).match(/(?<![\w/.*-])[\w/.-]+\.(?:tsx?|sql)\b/g) ?? [];
      const exists = (path: string) =>
        placeholders.includes(path) || sources.some((file) => file === path || file.endsWith(`/${path}`));
      const paths = new Set(named.map((path) => path.replace(/^(?:\.\.?\/)+/, '')));
      const unknown = [...paths].filter((path) => !exists(path));
      const folders = [
        ...read(page).matchAll(/`((?:src|test|bench|scripts|demo|deploy|docs|bin)\/[\w/-]*\/)`/g),
      ];
      const missing = folders
        .map(([, folder = '']) => folder)
        .filter((folder) => !existsSync(join(ROOT, folder)));
      const scripts = [...read(page).matchAll(/\bnpm run ([\w:]*\w)/g)].map(([, script = '']) => script);
      assert.deepEqual(
        [...unknown, ...missing, ...scripts.filter((script) => !(script in manifest.scripts))],
        [],
      );
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

describe('the generated documents', () => {
  for (const [name, text] of Object.entries(generated)) {
    it(`${name} is what npm run docs writes`, () => assert.equal(read(name), text));
  }

  it('docs/limits.md and the client tell the bounds and the default of every parameter and field', () => {
    const rows = read('docs/limits.md').split('\n');
    const interfaces = (read('src/client/queries.ts') + read('src/client/types.ts')).split('\n\n');
    /** The comments in the interfaces of the operation, of every list, and of what is no query. */
    const commentsFor = (operationId: string) =>
      interfaces
        .filter((text) => text.includes(`\`${operationId}\``) || !/The query of `(?!listKeys)/.test(text))
        .flatMap((text) => text.match(/\/\*\* .* \*\/\s+readonly \w+\?/g) ?? []);
    const tokensOf = (line: string): string[] => line.match(/`[^`]*`|\w+\?|[\w,]*\w/g) ?? [];
    const schemas = componentSchemas() as Record<string, { properties: object }>;
    const numbersOf = (schema: unknown) =>
      [...JSON.stringify(schema).matchAll(/"(?:max\w+|default)":(\d+)/g)].map(([, number]) =>
        Number(number).toLocaleString('en-US'),
      );
    const assertTold = (lines: readonly string[], ...words: string[]) =>
      assert.ok(
        lines.map(tokensOf).some((tokens) => words.every((word) => tokens.includes(word))),
        words.join(),
      );
    for (const { operationId, parameters, requestBody } of Object.values(operations).map(describeOperation)) {
      for (const parameter of parameters.filter((one) => one.in === 'query'))
        for (const number of numbersOf(parameter)) {
          assertTold(rows, `\`?${parameter.name}=\``, number, operationId);
          assertTold(commentsFor(operationId), `${parameter.name}?`, number);
        }
      const body = requestBody?.content['application/json'].schema.$ref?.split('/').at(-1) ?? '';
      for (const [name, schema] of Object.entries(schemas[body]?.properties ?? {}))
        for (const number of numbersOf(schema)) assertTold(rows, `\`${name}\``, number, operationId);
    }
  });

  it('docs/configuration.md lists every setting with its flag and default', () => {
    const rows = read('docs/configuration.md').split('\n');
    for (const { flag, env, fallback } of Object.values(settings)) {
      const row = rows.find((line) => line.startsWith('|') && line.includes(`\`${env}\``)) ?? '';
      assert.ok(row !== '', `no row for ${env}`);
      assert.ok(flag === undefined || row.includes(`\`--${flag}\``), `the row of ${env} lacks its flag`);
      const [, , , given = ''] = row.split('|').map((cell) => cell.trim());
      const expected = fallback === '' ? 'none' : `\`${fallback}\``;
      assert.equal(given, expected, `the row of ${env} has another default`);
    }
  });
});

describe('the documents', () => {
  it('docs/monitoring.md explains every message of a 503', () => {
    const explained = read('docs/monitoring.md').split('## What a 503 means')[1] ?? '';
    // Up to the first part that varies, or the end of the sentence.
    const messages = code.matchAll(/(?:unavailable\(|'unavailable',)\s*['`]([^'`$.;]+)/g);
    const beginnings = [...messages].map(([, text = '']) => text.trim());
    assert.ok(beginnings.length > 20, `${beginnings.length} messages`);
    for (const text of beginnings) assert.ok(explained.includes(text.split(' ').slice(0, 4).join(' ')), text);
  });
});
