// The pages of the npm package. `npm pack` runs this before it packs, which rewrites them in place, and after, with `restore`.
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import manifest from '../package.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');
/** The pages as the repository has them, while they are packed. */
const ORIGINALS = join(ROOT, '.originals');

const ALWAYS_PACKED = ['package.json', 'README.md', 'LICENSE'];

/** The files of the package that are not made by the build. */
export const packedFiles: readonly string[] = [
  ...ALWAYS_PACKED,
  ...globSync(
    manifest.files.flatMap((entry) => [entry, `${entry}/**`]),
    { cwd: ROOT },
  ),
].filter((file) => !file.startsWith('dist'));

/**
 * A page as the package has it: without pictures, and with the name of the file in place of a link to what only the repository
 * has, because a link to it would be dead in the package.
 */
export function packedPage(page: string, text: string): string {
  return text
    .replaceAll(/^(?:!\[|<img ).*\n\n?/gm, '')
    .replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link, label: string, target: string) => {
      const [path = ''] = target.split('#');
      if (path === '' || /^[a-z]+:/.test(path)) return link;
      const file = normalize(join(dirname(page), path));
      if (packedFiles.includes(file.replace(/\/$/, ''))) return link;
      return label === file ? `${label} (in the repository)` : `${label} (${file} in the repository)`;
    });
}

function rewrite(): void {
  for (const page of packedFiles.filter((file) => file.endsWith('.md'))) {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const packed = packedPage(page, text);
    if (packed === text) continue;
    mkdirSync(dirname(join(ORIGINALS, page)), { recursive: true });
    renameSync(join(ROOT, page), join(ORIGINALS, page));
    writeFileSync(join(ROOT, page), packed);
  }
}

function restore(): void {
  for (const page of globSync('**/*.md', { cwd: ORIGINALS })) {
    const original = readFileSync(join(ORIGINALS, page), 'utf8');
    if (readFileSync(join(ROOT, page), 'utf8') !== packedPage(page, original))
      throw new Error(
        `${page} was changed while it was packed: merge it with .originals/${page}, and remove that.`,
      );
    renameSync(join(ORIGINALS, page), join(ROOT, page));
  }
  rmSync(ORIGINALS, { recursive: true, force: true });
}

if (import.meta.main) {
  // What a run that was interrupted has left.
  restore();
  if (process.argv[2] !== 'restore') rewrite();
}
