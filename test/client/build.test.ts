import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { buildClient } from './support/build.ts';

const MAX_COMPRESSED_BYTES = 8 * 1024;

describe('The built client', () => {
  it('imports nothing but its own files, and is small', async (t) => {
    const folder = await buildClient(t);
    const files = await readdir(folder);
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)/g)].map(([, name = '']) => name),
    );
    assert.ok(imported.length >= files.length - 1, 'the imports were found');
    assert.deepEqual(
      imported.filter((name) => !files.some((file) => name === `./${file}`)),
      [],
    );
    assert.doesNotMatch(texts.join(), /\bBuffer\b|\bprocess\.|\brequire\(/);
    // Not minified: what a bundler makes of it is smaller.
    const bytes = gzipSync(texts.join('\n'), { level: 9 }).length;
    t.diagnostic(`${bytes} bytes compressed, ${texts.join('\n').length} bytes plain`);
    assert.ok(bytes < MAX_COMPRESSED_BYTES, `${bytes} bytes`);
  });
});
