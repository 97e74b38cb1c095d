import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { curlSnippet } from '../../src/web/browser/reference/call/snippets.ts';
import { type Language, linesOf, tokensOf } from '../../src/web/browser/reference/code/tokens.ts';
import { bundlePages } from '../../src/web/bundle.ts';
import { compress } from '../../src/web/site.ts';

const MOST_BYTES = 90_000;
const TEXTS: readonly (readonly [Language, string])[] = [
  ['script', '{\n  "id": 9223372036854775807,\n  "name": "a \\"b\\": c",\n  "gone": null\n}'],
  ['script', 'const response = await fetch(\'https://x/v1\', {\n  headers: { Accept: "*/*" },\n});'],
  [
    'shell',
    `curl -X POST https://x/v1/pets \\\n  -H "Authorization: Bearer $API_KEY" \\\n  --data-raw '{"a":\n1}'`,
  ],
  ['script', '"never closed \\'],
  ['shell', "it's"],
  ['script', ''],
];

const kinds = (text: string, language: Language): string[] =>
  tokensOf(text, language).flatMap((one) => (one.kind === 'plain' ? [] : [`${one.kind} ${one.text}`]));

describe('Code in the API reference', () => {
  for (const [language, text] of TEXTS)
    it(`is the same text in colours: ${JSON.stringify(text)}`, () => {
      const tokens = tokensOf(text, language);
      assert.equal(tokens.map((one) => one.text).join(''), text);
      const lines = linesOf(tokens).map((line) => line.tokens.map((one) => one.text).join(''));
      assert.equal(lines.join('\n'), text);
    });

  it('tells keys, strings, numbers and words apart', () => {
    assert.deepEqual(kinds('{"a": "b: c", "d": -1.5e3, "e": true}', 'script'), [
      'key "a"',
      'string "b: c"',
      'key "d"',
      'number -1.5e3',
      'key "e"',
      'word true',
    ]);
    assert.deepEqual(kinds('curl -N https://x/v1/pets/7 -H "A: 1"', 'shell'), [
      'word curl',
      'key -N',
      'key -H',
      'string "A: 1"',
    ]);
    assert.deepEqual(
      linesOf(tokensOf('{\n    "a": 1\n}', 'script')).map((one) => one.indent),
      [0, 4, 0],
    );
  });

  it('takes time in proportion to its length, even if no quote is closed', () => {
    const text = '"\\'.repeat(500_000);
    assert.equal(tokensOf(text, 'script').length, 1);
  });

  it('quotes a URL for the shell only if it has to', () => {
    const call = { method: 'GET', headers: {}, body: undefined };
    assert.match(curlSnippet({ ...call, url: 'https://x/v1/pets/7' }), /^curl https:\/\/x\/v1\/pets\/7 /);
    assert.match(curlSnippet({ ...call, url: 'https://x/v1/pets?a=1&b=2' }), /^curl '[^']+' /);
    assert.match(
      curlSnippet({ ...call, url: "https://x/v1/it's;rm" }),
      /^curl 'https:\/\/x\/v1\/it'\\''s;rm' /,
    );
  });

  it('and everything else of the page is less than 90 KB, compressed', async () => {
    const files = await bundlePages();
    const html = files.get('/docs') ?? '';
    const used = [...html.matchAll(/(?:src|href)="(assets[^"]+)"/g)].map(([, path]) => files.get(`/${path}`));
    assert.equal(used.length, 4);
    const sizes = await Promise.all(
      [html, ...used].map(async (text = '') => (await compress(text)).gzip.length),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total < MOST_BYTES, `${total}`);
  });
});
