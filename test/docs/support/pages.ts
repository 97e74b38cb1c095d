import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The files and folders of this project that match, by their paths from its root. */
export const find = (...patterns: string[]): string[] => globSync(patterns, { cwd: ROOT }).sort();

/** Every document. */
export const pages = find('*.md', 'docs/**/*.md');

export const sources = find('{src,test,bench,scripts,demo,bin}/**').filter(
  (file) => !file.includes('node_modules'),
);

/** The examples of a page. */
export const FENCED = /^```.*?^```$/gms;

export interface Link {
  readonly path: string;
  readonly anchor: string | undefined;
}

/** The links and pictures of a page that are files of this project. */
export function linksIn(page: string, text: string): Link[] {
  const matches = text.replaceAll(FENCED, '').matchAll(/\]\(([^)\s]+)\)|<img [^>]*src="([^"]+)"/g);
  return [...matches]
    .map(([, link, image]) => link ?? image ?? '')
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor] = link.split('#');
      return { path: path === '' ? page : normalize(join(dirname(page), path)), anchor };
    });
}
