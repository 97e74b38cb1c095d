import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { describe, it } from 'node:test';

const SRC = join(import.meta.dirname, '../src');
const BENCH = join(import.meta.dirname, '../bench');

/** The text of every file by its path below src/, such as `http/app.ts`. */
type Sources = Readonly<Record<string, string>>;

interface Import {
  readonly from: string;
  /** A path below src/, or the name of a package. */
  readonly to: string;
  /** Erased before the program runs. */
  readonly typeOnly: boolean;
}

const ANYTHING = /./;

/** The only folder that may import each database driver. */
const engines: Readonly<Record<string, string>> = {
  'node:sqlite': 'store/sqlite/',
  postgres: 'store/postgres/',
};

/** What a file may import from src/, by its folder. The first matching rule applies; a new folder needs a rule. */
const rules: readonly { of: RegExp; may: RegExp; mayTypes?: RegExp }[] = [
  { of: /^contract\//, may: /^contract\// },
  { of: /^metrics\//, may: /^metrics\// },
  // What serves requests does not depend on the one-shot tools.
  { of: /^store\/[^/]+\.ts$/, may: /^(?:contract\/|store\/(?!tools\/)|batch-per-tick\.ts$)/ },
  { of: /^store\//, may: /^(?:contract\/|store\/|batch-per-tick\.ts$)/ },
  { of: /^keys\//, may: /^(?:contract\/|keys\/|store\/store\.ts$|log\.ts$)/ },
  // Reading a request does not depend on writing a response.
  {
    of: /^http\/request\//,
    may: /^(?:contract\/|keys\/|http\/(?:request\/|(?:answer|server\/exchange)\.ts$)|metrics\/metrics\.ts$|store\/store\.ts$)/,
  },
  // The transport knows nothing of what a request is for.
  {
    of: /^http\/server\//,
    may: /^(?:contract\/|http\/(?:server\/|answer\.ts$)|metrics\/family\.ts$|(?:batch-per-tick|log)\.ts$)/,
  },
  {
    of: /^http\//,
    may: /^(?:contract\/|keys\/|http\/|metrics\/|web\/(?:assets|site)\.ts$|store\/(?:events|follow-events|store)\.ts$|(?:batch-per-tick|log)\.ts$)/,
    mayTypes: /^config\.ts$/,
  },
  { of: /^data\//, may: /^(?:contract|data)\// },
  { of: /^client\//, may: /^client\// },
  { of: /^(?:batch-per-tick|log)\.ts$/, may: /^$/ },
  { of: /^config(?:-values)?\.ts$/, may: /^(?:contract\/|config-values\.ts$|store\/database-url\.ts$)/ },
  {
    of: /^serve\//,
    may: /^(?:contract|store(?!\/tools\/)|keys|http|metrics|serve|web\/assets|batch-per-tick|log|config)/,
  },
  { of: /^web\//, may: /^(?:(?:contract|client|web)\/|data\/formula\.ts$)/ },
  { of: /^(?:cli\/|main\.ts$)/, may: ANYTHING },
];

const IMPORT =
  /^\s*(?:import|export)\s+(type\s)?[^'";]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(\s*['"`]([^'"`]+)['"`]/gm;

function importsOf(from: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map(([, type, named, bare, dynamic]) => {
    const target = named ?? bare ?? dynamic ?? '';
    const to = target.startsWith('.') ? posix.join(dirname(from), target) : target;
    return { from, to, typeOnly: type !== undefined };
  });
}

function problemWith({ from, to, typeOnly }: Import, isOurs: boolean): string | undefined {
  if (!isOurs) {
    const home = engines[to];
    if (from.startsWith('client/')) return `${from} imports ${to}: the client has no dependency`;
    return home && !from.startsWith(home) ? `${from} imports ${to}: only ${home} may` : undefined;
  }
  const driver = Object.values(engines).find((home) => to.startsWith(home));
  if (driver && !from.startsWith(driver) && !/^store\/(?:tools\/)?[^/]+$/.test(from)) {
    return `${from} imports ${to}: only store/ and store/tools/ may import a driver`;
  }
  const rule = rules.find(({ of }) => of.test(from));
  if (!rule) return `${from} is in a folder without a rule`;
  if (rule.may.test(to) || (typeOnly && rule.mayTypes?.test(to))) return undefined;
  return `${from} imports ${to}`;
}

/** Import cycles, such as `a.ts -> b.ts -> a.ts`. */
function cycles(imports: readonly Import[]): string[] {
  const next = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, way: readonly string[]) => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    if (way.includes(file) || done.has(file)) return;
    for (const { to } of next.get(file) ?? []) walk(to, [...way, file]);
    done.add(file);
  };
  for (const file of next.keys()) walk(file, []);
  return found;
}

/** Every import that breaks a rule, and every cycle. */
function violations(sources: Sources): string[] {
  const imports = Object.entries(sources).flatMap(([path, text]) => importsOf(path, text));
  const ours = imports.filter(({ to }) => Object.hasOwn(sources, to));
  const problems = imports.map((one) => problemWith(one, ours.includes(one)));
  return [...problems.filter((problem) => problem !== undefined), ...cycles(ours)];
}

/** Excludes installed packages and build output. */
async function readSources(folder = SRC): Promise<Sources> {
  const paths = (await readdir(folder, { recursive: true })).filter((path) =>
    /^(?!node_modules\/|\.build\/).*\.tsx?$/.test(path),
  );
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(folder, path), 'utf8')])),
  );
}

function cyclesWithin(sources: Sources): string[] {
  const imports = Object.entries(sources).flatMap(([path, text]) => importsOf(path, text));
  return cycles(imports.filter(({ to }) => Object.hasOwn(sources, to)));
}

describe('The import rules', () => {
  it('hold for every file in src/', async () => {
    const sources = await readSources();
    assert.ok(Object.keys(sources).length > 30, 'no source file was found');
    assert.deepEqual(violations(sources), []);
  });

  it('are checked on every import', async () => {
    const sources = await readSources();
    for (const [path, text] of Object.entries(sources)) {
      const mentioned = text.match(/['"`]\.{1,2}\/[\w./-]+\.tsx?['"`]/g) ?? [];
      const read = importsOf(path, text).filter(({ to }) => /\.tsx?$/.test(to));
      assert.equal(read.length, mentioned.length, path);
    }
  });

  const planted: Record<string, Sources> = {
    'contract/ to import another folder': { 'contract/a.ts': "import { x } from '../store/store.ts';" },
    'http/ to import a driver': { 'http/a.ts': "import { openSqlite } from '../store/sqlite/store.ts';" },
    'http/ to import a type from a driver': {
      'http/a.ts': "import type { S } from '../store/sqlite/store.ts';",
    },
    'http/server/ to import http/request/': {
      'http/server/a.ts': "import { checkWellFormed } from '../request/head.ts';",
    },
    'http/ to import store/open.ts': {
      'http/a.ts': "const { openStore } = await import('../store/open.ts');",
    },
    'http/ to import more than types from config.ts': {
      'http/a.ts': "import { settings } from '../config.ts';",
    },
    'store/open.ts to import a tool': {
      'store/open.ts': "import { moveStore } from './tools/move.ts';",
    },
    'serve/ to import a tool': { 'serve/a.ts': "import { backupStore } from '../store/tools/backup.ts';" },
    'cli/ to import a driver': { 'cli/a.ts': "const s = import('../store/sqlite/store.ts');" },
    'node:sqlite to be imported outside its folder': {
      'store/a.ts': "import {\n  DatabaseSync,\n} from 'node:sqlite';",
    },
    'postgres to be imported outside its folder': { 'store/a.ts': "import postgres from 'postgres';" },
    'a driver to import another driver': {
      'store/postgres/a.ts': "import { page } from '../sqlite/reads/lists.ts';",
    },
    'keys/ to re-export from http/': { 'keys/a.ts': "export { x } from '../http/app.ts';" },
    'store/ to import keys/ for side effects': { 'store/a.ts': "import '../keys/format.ts';" },
    'a folder without a rule': { 'unknown/a.ts': "import { x } from '../contract/errors.ts';" },
    'client/ to import types from contract/, which would become part of the package': {
      'client/a.ts': "import type { Pet } from '../contract/pet.ts';",
    },
    'client/ to import a package': { 'client/a.ts': "import * as v from 'valibot';" },
    'client/ to import a Node.js module': { 'client/a.ts': "import { hash } from 'node:crypto';" },
    'metrics/ to import another folder': {
      'metrics/a.ts': "import { errors } from '../contract/errors.ts';",
    },
    'store/ to import metrics/': { 'store/a.ts': "import { Metrics } from '../metrics/metrics.ts';" },
    'data/ to import a store': { 'data/a.ts': "import type { Store } from '../store/store.ts';" },
    'a cycle': { 'cli/a.ts': "import type { b } from './b.ts';", 'cli/b.ts': "import { a } from './a.ts';" },
    'a file to import itself': { 'cli/a.ts': "import { a } from './a.ts';" },
  };
  for (const [what, sources] of Object.entries(planted)) {
    it(`do not allow ${what}`, async () => {
      const all = { ...(await readSources()), ...sources };
      assert.equal(violations(all).length, 1, violations(all).join('\n'));
    });
  }

  it('allow the intended imports', async () => {
    const all = {
      ...(await readSources()),
      'http/a.ts':
        "import type { Config } from '../config.ts';\nimport { StoreError } from '../store/store.ts';",
      'cli/a.ts': "import { createApp } from '../http/app.ts';",
    };
    assert.deepEqual(violations(all), []);
  });
});

describe('Imports in bench/', () => {
  it('form no cycle', async () => {
    const sources = await readSources(BENCH);
    assert.ok(Object.hasOwn(sources, 'main.ts'), 'no source file was found');
    assert.deepEqual(cyclesWithin(sources), []);
  });

  it('are rejected when they form a cycle, even of types only', async () => {
    const sources = await readSources(BENCH);
    const planted = `${sources['format.ts']}\nimport type { Results } from './report/results.ts';`;
    const found = cyclesWithin({ ...sources, 'format.ts': planted });
    assert.ok(found.includes('format.ts -> report/results.ts -> format.ts'), found.join('\n'));
  });
});
