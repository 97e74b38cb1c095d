import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCluster, type Server } from '../test/support/database/postgres.ts';
import { cleanUp, cleanUpOnSignal, interrupted, onCleanup } from './cleanup.ts';
import { preparePeers } from './contenders/install.ts';
import { ROOT } from './contenders/processes.ts';
import { Progress } from './progress.ts';
import { atAGlance } from './report/at-a-glance.ts';
import { chart } from './report/chart.ts';
import { details } from './report/details.ts';
import { hardware, versions } from './report/machine.ts';
import { report } from './report/report.ts';
import type { Results } from './report/results.ts';
import { compareWithTargets, missedTable, reachedTable } from './report/target-tables.ts';
import { type Run, readOptions } from './run.ts';
import { compare, comparisonSeconds } from './sections/compare.ts';
import { growth } from './sections/growth.ts';
import { latency } from './sections/latency.ts';
import { search } from './sections/search.ts';
import type { Section } from './sections/section.ts';
import { slowDisk } from './sections/slow-disk.ts';
import { streams } from './sections/streams.ts';
import { workloads } from './workloads/workloads.ts';

/** npm run bench: measures everything and writes docs/benchmarks.md, .txt and .svg. With --quick or --only it writes to bench/.build. */
const { schedule, isSelected, isFull } = readOptions();
const progress = new Progress();
cleanUpOnSignal();
try {
  const results = await measureAll(await prepare());
  progress.print(`\nat a glance\n\n${atAGlance(results.comparisons)}\n`);
  const { missed, reached } = compareWithTargets(results);
  progress.print(`\ntargets missed\n\n${missedTable(missed)}\n`);
  progress.print(`\ntargets reached\n\n${reachedTable(reached)}\n`);
  const folder = join(ROOT, isFull ? 'docs' : 'bench/.build');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'benchmarks.md'), report(results));
  writeFileSync(join(folder, 'benchmarks.txt'), details(results));
  writeFileSync(join(folder, 'benchmarks.svg'), chart(results));
  progress.print(`Wrote benchmarks.md, .txt and .svg into ${folder} after ${progress.minutes} minutes.`);
  if (results.problems.length > 0) process.exitCode = 1;
} catch (error) {
  if (!interrupted) throw error;
} finally {
  await cleanUp();
}

async function prepare(): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
  onCleanup(() => rmSync(folder, { recursive: true, force: true }));
  try {
    preparePeers();
  } catch (error) {
    progress.problem(`the competitors: ${(error as Error).message}`);
  }
  return { folder, schedule, progress, postgres: await startPostgres() };
}

async function startPostgres(): Promise<Server | undefined> {
  try {
    const server = await createCluster('bench', onCleanup);
    await server.start();
    onCleanup(() => server.stop());
    return server;
  } catch (error) {
    progress.problem(`PostgreSQL, which does not run here: ${(error as Error).message}`);
    return undefined;
  }
}

async function measureAll(run: Run): Promise<Results> {
  const selected = workloads.filter(({ name }) => isSelected(name));
  const sections = [latency, growth, search, slowDisk, streams].filter(({ name }) => isSelected(name));
  if (selected.length + sections.length === 0) throw new Error('--only matches no workload and no section');
  progress.plan(comparisonSeconds(run, selected));
  for (const section of sections) progress.plan(section.seconds(schedule));
  return {
    comparisons: await compare(run, selected),
    latency: await measureSection(run, latency),
    growth: await measureSection(run, growth),
    // Next to growth, whose databases it copies.
    search: await measureSection(run, search),
    slowDisk: await measureSection(run, slowDisk),
    streams: await measureSection(run, streams),
    hardware: hardware(run),
    versions: await versions(run),
    problems: progress.problems,
  };
}

async function measureSection<T>(run: Run, section: Section<T>): Promise<T> {
  if (!isSelected(section.name)) return section.empty;
  try {
    const result = await section.measure(run);
    progress.print(`\n${section.name}\n\n${section.table(result)}\n`);
    return result;
  } catch (error) {
    progress.problem(`${section.name}: ${(error as Error).message}`);
    return section.empty;
  }
}
