import { rmSync } from 'node:fs';
import { glob, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Mutant, mutantsOf } from './mutants.ts';
import { hasRun, type RangesByFile, Workspace } from './workspace.ts';

/**
 * npx node test/mutation/main.ts [--sample N] [--seed N] [--tests GLOB]... PATH...: changes the source files at these paths, one place at a time, and names
 * every change that no test notices. Tries two at a time; a test that takes far longer than without the change has noticed it.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: 'Infinity' },
    seed: { type: 'string', default: '1' },
    tests: {
      type: 'string',
      multiple: true,
      default: [
        'test/{contract,data,keys,store}/!(*.slow|*.alone|postgres).test.ts',
        'test/http/{feed,keys,orders,pets,request}/!(*.slow|*.alone).test.ts',
        'test/store/sqlite-memory.slow.test.ts',
        'test/docs.test.ts',
      ],
    },
  },
});

if (positionals.length === 0) {
  process.stderr.write('Name source files or folders, such as src/contract/rules\n');
  process.exit(2);
}

const WORKERS = 2;
const SLOWEST_MS = 300_000;
/** Of a test under a mutant, against its own time without one. Generous: other programs may use the same processors. */
const limitMs = (ms: number): number => 20_000 + 8 * ms;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** The TypeScript files at or below a path. */
async function sourcesAt(path: string): Promise<readonly string[]> {
  return (await stat(path)).isDirectory() ? await Array.fromAsync(glob(`${path}/**/*.ts`)) : [path];
}

/** As many of them as wanted, spread evenly over the files. The same seed takes the same ones. */
function sampleOf(all: readonly Mutant[], wanted: number, seed: number): readonly Mutant[] {
  if (all.length <= wanted) return all;
  const step = all.length / wanted;
  const chosen = Array.from({ length: wanted }, (_, i) => all[Math.floor((i + ((seed * 0.618) % 1)) * step)]);
  return chosen.filter((mutant) => mutant !== undefined);
}

/** Does the work for each of them, as many at a time as there are workspaces. */
async function forEach<T>(
  items: readonly T[],
  workspaces: readonly Workspace[],
  work: (item: T, workspace: Workspace) => Promise<void>,
) {
  const queue = items.values();
  await Promise.all(
    workspaces.map(async (workspace) => {
      for (const item of queue) await work(item, workspace);
    }),
  );
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
const describe = ({ file, line, original, replacement }: Mutant): string =>
  `${file}:${line}: ${oneLine(original)}  ->  ${oneLine(replacement)}`;

const files = (await Promise.all(positionals.map(sourcesAt))).flat().sort();
const all = (
  await Promise.all(files.map(async (file) => mutantsOf(file, await readFile(file, 'utf8'))))
).flat();
const mutants = sampleOf(all, Number(values.sample), Number(values.seed));
const candidates = await Array.fromAsync(glob(values.tests));
say(`${files.length} files, ${mutants.length} of ${all.length} mutants, ${candidates.length} test files`);

const folder = await mkdtemp(join(tmpdir(), 'animal-store-mutation-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(1);
  });
/** How many mutants each test has noticed. */
const kills = new Map<string, number>();
const counts = { failed: 0, 'timed out': 0, survived: 0, 'not run': 0 };
try {
  const workspaces = await Promise.all(Array.from({ length: WORKERS }, () => Workspace.create(folder)));

  const tests: { readonly test: string; readonly ms: number; readonly ranges: RangesByFile }[] = [];
  await forEach(candidates, workspaces, async (test, workspace) => {
    const { outcome, ms, ranges } = await workspace.measure(test, new Set(files), SLOWEST_MS);
    if (outcome === 'passed') tests.push({ test, ms, ranges });
    else say(`without any change, ${test} ${outcome}: not used`);
  });
  tests.sort((a, b) => a.ms - b.ms);

  await forEach(mutants, workspaces, async (mutant, workspace) => {
    const able = tests.filter(({ ranges }) => hasRun(ranges.get(mutant.file), mutant.start));
    const outcome = await workspace.with(mutant, async () => {
      for (const { test, ms } of able) {
        const outcome = await workspace.run(test, limitMs(ms));
        if (outcome === 'passed') continue;
        kills.set(test, (kills.get(test) ?? 0) + 1);
        return outcome;
      }
      return able.length > 0 ? 'survived' : 'not run';
    });
    counts[outcome]++;
    if (outcome === 'survived') say(`survived ${able.length} test files: ${describe(mutant)}`);
    if (outcome === 'not run') say(`not run by any test: ${describe(mutant)}`);
  });

  // A test that fails for another reason, such as a package that was removed meanwhile, has noticed nothing.
  await forEach([...kills], workspaces, async ([test, count], workspace) => {
    if ((await workspace.run(test, SLOWEST_MS)) === 'passed') return;
    say(`without any change, ${test} fails now: the ${count} mutants that it noticed do not count`);
    process.exitCode = 1;
  });
} finally {
  await rm(folder, { recursive: true, force: true });
}
say(
  `${mutants.length} mutants: ${counts.failed} failed a test, ${counts['timed out']} timed out, ${counts.survived} survived, ${counts['not run']} not run by any test`,
);
