import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BuildOptions, OutputFile } from 'esbuild';

/** Each page by the path it is served at, with the name of its template and of the folder of its script and style sheet. */
const PAGES = { '/': 'console', '/docs': 'reference' } as const;

/** The prefix of the names of the scripts that both pages load. */
const SHARED = 'shared-';

/** The files of both pages by the path they are served at. Needs esbuild, a development dependency. */
export async function bundlePages(): Promise<ReadonlyMap<string, string>> {
  const { build, stop } = await import('esbuild');
  try {
    const { outputFiles } = await build({ ...bundleOptions, write: false, minify: true });
    return await siteOf(outputFiles);
  } finally {
    // Otherwise its process lives as long as this one.
    await stop();
  }
}

/** What every bundle has in common. How JSX is translated is in browser/tsconfig.json. */
export const bundleOptions = {
  entryPoints: Object.values(PAGES).flatMap((name) => [
    { in: source(`browser/${name}/main.tsx`), out: name },
    { in: source(`browser/${name}/${name}.css`), out: name },
  ]),
  outdir: source('.'),
  bundle: true,
  format: 'esm',
  // What both pages need is a separate file: a browser that has opened one page has it cached for the other.
  splitting: true,
  chunkNames: `${SHARED}[hash]`,
  target: 'es2023',
  charset: 'utf8',
  logLevel: 'silent',
} satisfies BuildOptions;

/** Names the output of esbuild by its content, and writes the names into the pages. */
export async function siteOf(outputFiles: readonly OutputFile[]): Promise<ReadonlyMap<string, string>> {
  const output = (name: string) => outputFiles.find(({ path }) => path === source(name))?.text ?? '';
  const icon = asset(await readFile(source('pages/icon.svg'), 'utf8'), 'svg');
  const chunks = outputFiles.map(({ path }) => basename(path)).filter((name) => name.startsWith(SHARED));
  // The scripts of the pages import them by these names.
  const shared = chunks.map((name): [string, string] => [`/assets/${name}`, output(name)]);
  const preloads = shared.map(([path]) => `<link rel="modulepreload" href="${path.slice(1)}">`).join('\n');
  const files = new Map([icon, ...shared]);
  for (const [path, name] of Object.entries(PAGES)) {
    const script = asset(output(`${name}.js`), 'js');
    const style = asset(output(`${name}.css`), 'css');
    const template = await readFile(source(`pages/${name}.html`), 'utf8');
    // Relative, so that the pages also work below a path prefix.
    const used = { icon: icon[0].slice(1), style: style[0].slice(1), script: script[0].slice(1), preloads };
    const html = template.replace(
      /\{\{(icon|style|script|preloads)\}\}/g,
      (_match, key: keyof typeof used) => used[key],
    );
    files
      .set(...script)
      .set(...style)
      .set(path, html);
  }
  return files;
}

/** A file with the digest of its text in its name can be cached forever. */
const asset = (text: string, extension: string): [path: string, text: string] => [
  `/assets/${hash('sha256', text).slice(0, 16)}.${extension}`,
  text,
];

function source(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
