// Builds what the npm package contains into dist/: JavaScript, the client for ES modules and CommonJS with its type declarations,
// the migrations, and both pages, bundled and compressed. `npm pack` runs it.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { bundlePages } from '../src/web/bundle.ts';
import { writeSite } from '../src/web/site.ts';

const ROOT = join(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
for (const config of ['tsconfig.build.json', 'tsconfig.types.json']) {
  execFileSync(process.execPath, [TSC, '-p', config], { cwd: ROOT, stdio: 'inherit' });
}
cpSync(join(ROOT, 'src'), join(ROOT, 'dist'), {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || path.endsWith('.sql'),
});
publishClient();
await writeSite(join(ROOT, 'dist/web/site'), await bundlePages());

/**
 * The client for CommonJS, and the declarations for both kinds of modules. Each kind has a folder of its own, because the
 * package.json of a folder decides the kind of its declarations as well.
 */
function publishClient(): void {
  const [client, folder] = [join(ROOT, 'dist/client'), join(ROOT, 'dist/client/commonjs')];
  buildSync({
    entryPoints: [join(ROOT, 'src/client/index.ts')],
    outfile: join(folder, 'index.js'),
    bundle: true,
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
  });
  // TypeScript before 5.7 does not understand the names of source files in declarations.
  for (const name of readdirSync(client).filter((file) => file.endsWith('.d.ts'))) {
    const text = readFileSync(join(client, name), 'utf8').replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'");
    for (const to of [client, folder]) writeFileSync(join(to, name), text);
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
}
