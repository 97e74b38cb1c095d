import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version of this package, which is not that of the API. Both `src` and `dist` are folders of the package. */
export function packageVersion(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  return version;
}
