import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { curlSnippet } from '../../src/web/browser/reference/call/call.ts';
import { contentsOf, filtered } from '../../src/web/browser/reference/contents.ts';
import { entriesOf, type OpenApi } from '../../src/web/browser/reference/document.ts';
import { indent } from '../../src/web/browser/reference/exact-json.ts';
import { tokensOf } from '../../src/web/browser/reference/tokens.ts';
import { bundlePages } from '../../src/web/bundle.ts';
import { compress } from '../../src/web/site.ts';

const MOST_BYTES = 35_000;
const DOCUMENT = new URL('../../docs/openapi.json', import.meta.url);

const kinds = (text: string): string[] =>
  tokensOf(text).flatMap(([kind, found]) => (kind === '' ? [] : [`${kind} ${found}`]));

describe('The parts of the API reference', () => {
  it('an answer is in lines, with every digit, and code in colours has the same text', () => {
    assert.equal(indent('[{"id":9223372036854775807}]'), '[\n  {\n    "id": 9223372036854775807\n  }\n]');
    const textOf = (text: string) => tokensOf(text).reduce((all, [, one]) => all + one, '');
    for (const text of ['{\n  "id": 9223372036854775807,\n  "a \\"b\\"": null }', "it's", '"open \\', ''])
      assert.equal(textOf(text), text);
    const json = ['k "a"', 's "b: c"', 'k "d"', 'n -1.5e3', 'k "e"', 'k true'];
    assert.deepEqual(kinds('{"a": "b: c", "d": -1.5e3, "e": true}'), json);
    assert.deepEqual(kinds('curl -N http://127.0.0.1:80/v1/pets/7 -H "A: 1"'), ['k -N', 'k -H', 's "A: 1"']);
    // Tokens that looked ahead for each quote in vain would take hours.
    assert.equal(tokensOf('"\\'.repeat(500_000)).length, 2);
  });

  it('the filter finds titles, ids, paths, parameters, fields, statuses and error codes', async () => {
    const api: OpenApi = JSON.parse(await readFile(DOCUMENT, 'utf8'));
    const entries = entriesOf(api);
    const groups = contentsOf(api, entries, []);
    const found = (query: string) =>
      filtered(groups, query).flatMap(({ items }) => items.flatMap(({ id, method }) => (method ? [id] : [])));
    const words = { sell: 'createOrder', 'order an ANIMAL': 'createOrder', order_closed: 'updateOrder' };
    const names = { overlap: 'rotateKey', completedbefore: 'listOrders', '/Inventory': 'getInventory' };
    for (const [query, id] of Object.entries({ ...words, ...names }))
      assert.ok(found(query).includes(id), query);
    const conflicts = entries.filter(({ operation }) => '409' in (operation.responses ?? {}));
    const ids = conflicts.map(({ operation }) => operation.operationId);
    assert.deepEqual(found('409').toSorted(), ids.toSorted());
    assert.equal(found('').length, entries.length);
    assert.deepEqual(filtered(groups, 'zebra (crossing'), []);
  });

  it('a snippet quotes for the shell what has to be, and never reads a file', () => {
    const snippet = (url: string, body?: string) => curlSnippet({ method: 'GET', headers: {}, body, url });
    assert.match(snippet('https://x/v1/pets/7'), /\ncurl https:\/\/x\/v1\/pets\/7 /);
    assert.match(snippet('https://x/v1/pets?a=1&b=2'), /\ncurl '[^']+' /);
    assert.match(snippet("https://x/v1/it's;rm"), /\ncurl 'https:\/\/x\/v1\/it'\\''s;rm' /);
    assert.match(snippet('https://x', '@/etc/passwd'), / --data-raw '@\/etc\/passwd'$/);
  });

  it(`the whole page is less than ${MOST_BYTES} bytes, compressed`, async () => {
    const files = await bundlePages();
    const html = files.get('/docs') ?? '';
    const used = [...html.matchAll(/(?:src|href)="(assets[^"]+)"/g)].map(([, path]) => files.get(`/${path}`));
    assert.equal(used.length, 4);
    const packed = await Promise.all([html, ...used].map((text = '') => compress(text)));
    const total = packed.reduce((sum, { gzip }) => sum + gzip.length, 0);
    assert.ok(total < MOST_BYTES, `${total}`);
  });
});
