import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generated } from '../scripts/docs.ts';
import { settings } from '../src/config.ts';
import { describe as describeOperation } from '../src/contract/openapi/operation-object.ts';
import { componentSchemas } from '../src/contract/openapi/schemas.ts';
import { operations } from '../src/contract/operations/all.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

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
    const sources = globSync('src/**/*.ts', { cwd: ROOT }).map(read).join('\n');
    // Up to the first part that varies, or the end of the sentence.
    const messages = sources.matchAll(/(?:unavailable\(|'unavailable',)\s*['`]([^'`$.;]+)/g);
    const beginnings = [...messages].map(([, text = '']) => text.trim());
    assert.ok(beginnings.length > 20, `${beginnings.length} messages`);
    for (const text of beginnings) assert.ok(explained.includes(text.split(' ').slice(0, 4).join(' ')), text);
  });
});
