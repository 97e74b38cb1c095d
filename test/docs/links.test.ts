import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { packedFiles, packedPage } from '../../scripts/package-pages.ts';
import { find, pages, ROOT, read, sources } from './support/pages.ts';

/** The examples of a page. */
const FENCED = /^```.*?^```$/gms;

interface Link {
  readonly path: string;
  readonly anchor: string | undefined;
}

/** The links and pictures of a page that are files of this project. */
function linksIn(page: string, text: string): Link[] {
  const matches = text.replaceAll(FENCED, '').matchAll(/\]\(([^)\s]+)\)|<img [^>]*src="([^"]+)"/g);
  return [...matches]
    .map(([, link, image]) => link ?? image ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor] = link.split('#');
      return { path: path === '' ? page : normalize(join(dirname(page), path)), anchor };
    });
}

/** The anchors that GitHub makes from the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const headings =
    read(page)
      .replaceAll(FENCED, '')
      .match(/^#+ .*$/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const isDead = ({ path, anchor }: Link): boolean =>
  !existsSync(join(ROOT, path)) || (anchor !== undefined && !anchorsOf(path).has(anchor));
const shown = ({ path, anchor }: Link): string => (anchor === undefined ? path : `${path}#${anchor}`);

describe('The links of the documents', () => {
  for (const page of pages) {
    it(`${page}: links, anchors and pictures`, () => {
      assert.deepEqual(linksIn(page, read(page)).filter(isDead).map(shown), []);
    });
  }

  it('every document and every picture is linked to', () => {
    const linked = new Set(
      pages
        .flatMap((page) => linksIn(page, read(page)).filter(({ path }) => path !== page))
        .map(({ path }) => path),
    );
    const inFolder = (path: string) => linked.has(`${dirname(path)}/`);
    const unlinked = find('docs/**/*.{md,png,svg}').filter((path) => !linked.has(path) && !inFolder(path));
    assert.deepEqual(unlinked, []);
  });

  it('in the sources and in deploy/: documents and their anchors', () => {
    const files = [...sources, ...find('deploy/*', 'compose.yaml', 'Dockerfile')].filter((file) =>
      statSync(join(ROOT, file)).isFile(),
    );
    const links = files
      .filter((file) => /\.(?:tsx?|md|ya?ml|cfg|conf|service|html|sql)$|file$/.test(file))
      .flatMap((file) => [...read(file).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([link]) => link));
    assert.ok(links.length > 10, `${links.length} links`);
    const dead = links
      .map((link) => link.split('#'))
      .filter(([path = '', anchor]) => isDead({ path, anchor }));
    assert.deepEqual(dead, []);
  });
});

describe('The npm package', () => {
  const documents = packedFiles.filter((file) => file.endsWith('.md'));

  it('has what its pages link to, and no link to what only the repository has', () => {
    const links = documents.flatMap((page) => linksIn(page, packedPage(page, read(page))));
    assert.ok(links.length > 50, `${links.length} links`);
    const isPacked = ({ path }: Link) => packedFiles.includes(path.replace(/\/$/, ''));
    assert.deepEqual(links.filter((link) => isDead(link) || !isPacked(link)).map(shown), []);
    const readme = packedPage('README.md', read('README.md'));
    assert.match(readme, /docs\/architecture\.md \(in the repository\)/);
  });

  it('has the documents that its configurations name', () => {
    const named = find('deploy/*').flatMap((file) => read(file).match(/\bdocs\/[\w/-]+\.md/g) ?? []);
    assert.ok(named.length > 2, `${named.length} names`);
    assert.deepEqual(
      named.filter((file) => !packedFiles.includes(file)),
      [],
    );
  });
});
