// Builds what the npm package contains into dist/: JavaScript, the type declarations of the client, and every other file
// that the program reads, such as migrations and style sheets. `npm pack` runs it.
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');
const NOT_READ = /(?:\.ts|\/tsconfig\.json)$/;

rmSync(join(ROOT, 'dist'), { recursive: true, force: true });
for (const config of ['tsconfig.build.json', 'tsconfig.types.json']) {
  execFileSync(process.execPath, [TSC, '-p', config], { cwd: ROOT, stdio: 'inherit' });
}
cpSync(join(ROOT, 'src'), join(ROOT, 'dist'), {
  recursive: true,
  filter: (path) => statSync(path).isDirectory() || !NOT_READ.test(path),
});
