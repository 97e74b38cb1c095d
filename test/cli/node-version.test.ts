import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { MAIN } from '../support/service/launch.ts';

/** The oldest Node of the service. `engines` of the package begins at 22, which is enough for its client. */
const oldest = '24.15';
const PACKAGE = join(import.meta.dirname, '../../package.json');

/** What `animal-store --version` prints on standard error, and its exit code, on a Node that says it is of this version. */
function runOn(version: string): [string, number | null] {
  const pretend = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`;
  const args = ['--import', pretend, MAIN, '--version'];
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return [stderr, status];
}

it('the program refuses a Node that is too old, and warns about a newer one than package.json names', async () => {
  const { engines } = JSON.parse(await readFile(PACKAGE, 'utf8')) as { engines: { node: string } };
  const [, tooNew] = /^>=22 <(\d+)$/.exec(engines.node) ?? assert.fail(engines.node);
  const newest = Number(tooNew) - 1;
  for (const tooOld of ['23.99.1', '24.14.1']) {
    const line = `needs Node ${oldest} or later, and this is Node ${tooOld}: install a newer one from https://nodejs.org`;
    // Not 1: systemd would start it again and again.
    assert.deepEqual(runOn(tooOld), [`animal-store: ${line}\n`, 2]);
  }
  for (const supported of [`${oldest}.0`, `${newest}.99.1`]) assert.deepEqual(runOn(supported), ['', 0]);
  const warning = `tested with Node ${oldest} to ${newest} only, and this is Node ${tooNew}.0.0`;
  assert.deepEqual(runOn(`${tooNew}.0.0`), [`animal-store: ${warning}\n`, 0]);
});
