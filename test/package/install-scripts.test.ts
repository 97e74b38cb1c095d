import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const ROOT = join(import.meta.dirname, '../..');

interface LockedPackage {
  readonly hasInstallScript?: true;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const { scripts, allowScripts } = read('package.json');

describe('npm install', () => {
  it('runs no script of this package in the project that installs it', () => {
    // npm 11 warns of each of them, and skips it. `dependencies` runs in a checkout only.
    const ofInstallation = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
    assert.deepEqual(
      Object.keys(scripts).filter((name) => ofInstallation.includes(name)),
      [],
    );
  });

  it('in a checkout, is told of every package with a script whether to run it, so that it warns of none', () => {
    const runsHere = ({ os = ['linux'], cpu = ['x64'] }: LockedPackage) =>
      ['linux', 'darwin'].some((name) => os.includes(name)) &&
      ['x64', 'arm64'].some((name) => cpu.includes(name));
    const withScript = Object.entries<LockedPackage>(read('package-lock.json').packages)
      .filter(([, locked]) => locked.hasInstallScript && runsHere(locked))
      .map(([path]) => path.replace(/^.*node_modules\//, ''));
    assert.deepEqual(withScript.toSorted(), Object.keys(allowScripts).toSorted());
  });

  it('in a checkout, says in one line that its Node lacks a library', () => {
    // The loader of a program that lacks a library exits with 127.
    const broken = `node() { return 127; }; ${scripts.dependencies}`;
    const { status, stderr } = spawnSync('sh', ['-c', broken], { encoding: 'utf8' });
    assert.match(stderr, /^animal-store: .*libatomic1.*\n$/);
    assert.equal(status, 1);
    assert.equal(spawnSync('sh', ['-c', scripts.dependencies]).status, 0);
  });
});
