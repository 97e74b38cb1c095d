import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCluster, type Server } from '../test/support/postgres.ts';
import { preparePeers } from './contenders/install.ts';
import { ROOT } from './contenders/processes.ts';
import { atEnd, end, endOnSignal, interrupted } from './endings.ts';
import { Progress } from './progress.ts';
import { chart } from './report/chart.ts';
import { machine } from './report/machine.ts';
import { report } from './report/report.ts';
import type { Results } from './report/results.ts';
import { targetTable } from './report/targets.ts';
import { type Run, readOptions } from './run.ts';
import { compare, comparisonSeconds } from './sections/compare.ts';
import { growth } from './sections/growth.ts';
import type { Section } from './sections/section.ts';
import { slowDisk } from './sections/slow-disk.ts';
import { workers } from './sections/workers.ts';
import { works } from './work/works.ts';

/** npm run bench: everything, and docs/benchmarks.md. With --quick or --only, a look: its report is left in bench/.build. */
const { pace, wants, whole } = readOptions();
const progress = new Progress();
endOnSignal();
try {
  const results = await measureAll(await prepare());
  progress.print(`\ntargets\n\n${targetTable(results, whole)}\n`);
  const folder = join(ROOT, whole ? 'docs' : 'bench/.build');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'benchmarks.md'), report(results));
  writeFileSync(join(folder, 'benchmarks.svg'), chart(results));
  progress.print(`${folder}/benchmarks.md and .svg are written, after ${results.minutes} minutes.`);
  if (results.problems.length > 0) process.exitCode = 1;
} catch (error) {
  if (!interrupted) throw error;
} finally {
  await end();
}

async function prepare(): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'animal-store-bench-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  try {
    preparePeers();
  } catch (error) {
    progress.problem(`the peers: ${(error as Error).message}`);
  }
  return { folder, pace, progress, postgres: await startPostgres() };
}

async function startPostgres(): Promise<Server | undefined> {
  try {
    const server = await createCluster('bench', atEnd);
    await server.start();
    atEnd(() => server.stop());
    return server;
  } catch (error) {
    progress.problem(`PostgreSQL, which cannot run here: ${(error as Error).message}`);
    return undefined;
  }
}

async function measureAll(run: Run): Promise<Results> {
  const wanted = works.filter(({ name }) => wants(name));
  const sections = [growth, slowDisk, workers].filter(({ name }) => wants(name));
  if (wanted.length + sections.length === 0) throw new Error('there is no work of that name');
  progress.plan(comparisonSeconds(run, wanted));
  for (const section of sections) progress.plan(section.seconds(pace));
  return {
    comparisons: await compare(run, wanted),
    growth: await measureSection(run, growth),
    slowDisk: await measureSection(run, slowDisk),
    workers: await measureSection(run, workers),
    machine: await machine(run),
    problems: progress.problems,
    minutes: progress.minutes,
  };
}

async function measureSection<T>(run: Run, section: Section<T>): Promise<T> {
  if (!wants(section.name)) return section.none;
  try {
    const found = await section.measure(run);
    progress.print(`\n${section.name}\n\n${section.table(found)}\n`);
    return found;
  } catch (error) {
    progress.problem(`${section.name}: ${(error as Error).message}`);
    return section.none;
  }
}
