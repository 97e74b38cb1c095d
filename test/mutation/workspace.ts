import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Mutant } from './mutants.ts';

const ROOT = join(import.meta.dirname, '../..');
/** What the tests read. `node_modules` is linked, because nothing writes there. */
const COPIED = [
  'bin',
  'deploy',
  'docs',
  'scripts',
  'src',
  'test',
  'README.md',
  'biome.json',
  'package.json',
  'tsconfig.json',
];
const FAILED = /^ *not ok /m;

export type Outcome = 'passed' | 'failed' | 'timed out';

/** The process groups of the tests that run now, by the id of their first process. They end with this program. */
const groups = new Set<number>();
process.once('exit', () => groups.forEach(endGroup));

function endGroup(id: number): void {
  try {
    process.kill(-id, 'SIGKILL');
  } catch {
    // All of its processes have ended.
  }
  groups.delete(id);
}

/** Ranges of a file with how often each ran, from the coverage that V8 writes. Removing types moves no offset. */
type Ranges = readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: Ranges }[];
  }[];
}
/** By the path of a file, once for each process or thread that loaded it. */
export type RangesByFile = ReadonlyMap<string, readonly Ranges[]>;

/** A copy of the checkout in which mutants are tried, one at a time: the checkout itself is never changed. */
export class Workspace {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  static async create(folder: string): Promise<Workspace> {
    const root = await mkdtemp(join(folder, 'copy-'));
    for (const name of COPIED) await cp(join(ROOT, name), join(root, name), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    await mkdir(join(root, 'tmp'));
    return new Workspace(root);
  }

  /** Calls `work` while the file of the mutant is changed. */
  async with<T>({ file, start, end, replacement }: Mutant, work: () => Promise<T>): Promise<T> {
    const path = join(this.#root, file);
    const code = await readFile(path, 'utf8');
    await writeFile(path, code.slice(0, start) + replacement + code.slice(end));
    try {
      return await work();
    } finally {
      await writeFile(path, code);
    }
  }

  /** Runs one test file until its first failure, with low priority. */
  async run(test: string, limitMs: number, env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    const { NODE_V8_COVERAGE: _, ...inherited } = process.env;
    const args = ['-n', '10', process.execPath, '--test-reporter=tap', '--test-force-exit', test];
    const child = spawn('nice', args, {
      cwd: this.#root,
      // A group of its own, so that the services which a test has started end with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...inherited, TMPDIR: join(this.#root, 'tmp'), ...env },
    });
    const { pid } = child;
    if (pid === undefined) throw new Error('cannot start nice');
    groups.add(pid);
    let outcome: Outcome | undefined;
    let output = '';
    const end = (known: Outcome): void => {
      outcome ??= known;
      endGroup(pid);
    };
    const timer = setTimeout(end, limitMs, 'timed out');
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (FAILED.test(output)) end('failed');
      output = output.slice(output.lastIndexOf('\n') + 1);
    });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    clearTimeout(timer);
    endGroup(pid);
    for (const name of await readdir(join(this.#root, 'tmp')))
      await rm(join(this.#root, 'tmp', name), { recursive: true, force: true, maxRetries: 5 });
    return outcome ?? (code === 0 ? 'passed' : 'failed');
  }

  /** Runs a test file to its end, and returns which of these files it loads and what of them runs. */
  async measure(
    test: string,
    files: ReadonlySet<string>,
    limitMs: number,
  ): Promise<{ readonly outcome: Outcome; readonly ms: number; readonly ranges: RangesByFile }> {
    const folder = await mkdtemp(join(this.#root, 'coverage-'));
    const began = performance.now();
    const outcome = await this.run(test, limitMs, { NODE_V8_COVERAGE: folder });
    const ms = performance.now() - began;
    const ranges = new Map<string, Ranges[]>();
    for (const name of await readdir(folder)) {
      const { result }: Coverage = JSON.parse(await readFile(join(folder, name), 'utf8'));
      for (const { url, functions } of result) {
        const file = url.slice(`file://${this.#root}/`.length);
        if (!files.has(file)) continue;
        ranges.set(file, [...(ranges.get(file) ?? []), functions.flatMap((one) => one.ranges)]);
      }
    }
    await rm(folder, { recursive: true });
    return { outcome, ms, ranges };
  }
}

/** Whether the code at this offset has run: the smallest range around it counts. */
export function hasRun(ranges: readonly Ranges[] | undefined, offset: number): boolean {
  return (ranges ?? []).some((of) => {
    const around = of.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset);
    const size = ({ startOffset, endOffset }: Ranges[number]): number => endOffset - startOffset;
    return (around.sort((a, b) => size(a) - size(b))[0]?.count ?? 0) > 0;
  });
}
