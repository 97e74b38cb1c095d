import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib';

const compressBrotli = promisify(brotliCompress);
const decompressBrotli = promisify(brotliDecompress);
const compressGzip = promisify(gzip);

export type Encoding = 'br' | 'gzip' | 'identity';
export type Bodies = Readonly<Record<Encoding, Buffer>>;

const SUFFIX = '.br';

export async function compress(text: string): Promise<Bodies> {
  const identity = Buffer.from(text);
  const [br, gz] = await Promise.all([
    compressBrotli(identity, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: identity.length } }),
    compressGzip(identity, { level: 9 }),
  ]);
  return { br, gzip: gz, identity };
}

/** Writes the files of the pages, by the path they are served at, compressed as almost every browser takes them. */
export async function writeSite(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    const file = join(folder, fileName(path) + SUFFIX);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, (await compress(text)).br);
  }
}

/** What `writeSite` has written, in every encoding. */
export async function readSite(folder: string): Promise<ReadonlyMap<string, Bodies>> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(SUFFIX));
  return new Map(
    await Promise.all(
      names.map(async (name) => {
        const br = await readFile(join(folder, name));
        const identity = await decompressBrotli(br);
        const gz = await compressGzip(identity, { level: 9 });
        return [pathOf(name.slice(0, -SUFFIX.length)), { br, gzip: gz, identity }] as const;
      }),
    ),
  );
}

/** `/` is index.html, `/docs` is docs.html, and an asset has its own name. */
const fileName = (path: string): string =>
  path.includes('.') ? path.slice(1) : `${path.slice(1) || 'index'}.html`;
const pathOf = (name: string): string => `/${name.replace(/^index\.html$|\.html$/, '')}`;
