import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { generated } from '../scripts/docs.ts';
import { settings } from '../src/config.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

describe('the generated documents', () => {
  for (const [name, text] of Object.entries(generated)) {
    it(`${name} is what npm run docs writes`, () => assert.equal(read(name), text));
  }

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
