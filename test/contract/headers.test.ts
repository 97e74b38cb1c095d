import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { responseHeaders } from '../../src/contract/headers.ts';

/** The resolved references of a Link header, by relation. */
function resolved(link: string, base: string): Record<string, string> {
  const links = [...link.matchAll(/<([^<>]*)>; rel="([\w-]+)"/g)];
  return Object.fromEntries(links.map(([, reference = '', rel]) => [rel, new URL(reference, base).href]));
}

describe('The examples of Link and Location headers', () => {
  for (const prefix of ['http://127.0.0.1:8080', 'https://pets.test/shop', 'https://pets.test/a/b']) {
    it(`resolve below ${prefix}`, () => {
      const { next = '' } = resolved(responseHeaders.Link.example, `${prefix}/v1/pets?limit=20`);
      assert.ok(next.startsWith(`${prefix}/v1/pets?limit=20&cursor=`), next);
      assert.deepEqual(resolved(responseHeaders.DeprecationLink.example, `${prefix}/v1/pets/7`), {
        'successor-version': `${prefix}/v1/pets`,
        deprecation: `${prefix}/openapi.json`,
      });
      const { href } = new URL(responseHeaders.Location.example, `${prefix}/v1/store/orders`);
      assert.equal(href, `${prefix}/v1/store/orders/1`);
    });
  }
});
