import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import manifest from '../../package.json' with { type: 'json' };
import { FENCED, find, pages, ROOT, read, sources } from './support/pages.ts';

const LINK = /\]\(([^)\s]+)\)|<img [^>]*src="([^"]+)"/g;

/** Files that only a checkout has. Pictures of two megabytes are not part of the package, and neither are the files to build an image. */
const ONLY_IN_A_CHECKOUT = /^(docs\/screenshots\/|demo\/|compose\.yaml$)/;

interface Link {
  readonly path: string;
  readonly anchor: string | undefined;
}

/** The links of a page to files of this project. */
function linksOf(page: string): Link[] {
  const links = [...read(page).replaceAll(FENCED, '').matchAll(LINK)].map(
    ([, link, image]) => link ?? image ?? '',
  );
  return links
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
      assert.deepEqual(linksOf(page).filter(isDead).map(shown), []);
    });
  }

  it('every document and every picture is linked to', () => {
    const linked = new Set(
      pages.flatMap((page) => linksOf(page).filter(({ path }) => path !== page)).map(({ path }) => path),
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
  it('has what its pages link to', () => {
    const always = ['package.json', 'README.md', 'LICENSE'];
    const inPackage = [...always, ...manifest.files.flatMap((entry) => find(entry, `${entry}/**`))];
    const links = inPackage.filter((file) => file.endsWith('.md')).flatMap(linksOf);
    const dead = links
      .map(({ path }) => path)
      .filter((path) => !ONLY_IN_A_CHECKOUT.test(path) && !isIn(inPackage, path));
    assert.deepEqual([...new Set(dead)], []);
  });
});

const isIn = (files: readonly string[], path: string): boolean =>
  files.some(
    (file) => file === path.replace(/\/$/, '') || file.startsWith(path.endsWith('/') ? path : `${path}/`),
  );
