import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The files and folders of this project that match, by their paths from its root. */
export const find = (...patterns: string[]): string[] => globSync(patterns, { cwd: ROOT }).sort();

/** Every document. */
export const pages = find('*.md', 'docs/**/*.md');

export const sources = find('{src,test,bench,scripts,demo,bin}/**').filter(
  (file) => !file.includes('node_modules'),
);
