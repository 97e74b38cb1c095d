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
  pg: 'store/postgres/',
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
    may: /^(?:contract\/|keys\/|http\/|metrics\/|web\/(?:assets|site)\.ts$|store\/(?:events|store)\.ts$|(?:batch-per-tick|log)\.ts$)/,
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

const importsIn = (sources: Sources): Import[] =>
  Object.entries(sources).flatMap(([path, text]) => importsOf(path, text));
/** Those of files, not of packages. */
const importsAmong = (sources: Sources): Import[] =>
  importsIn(sources).filter(({ to }) => Object.hasOwn(sources, to));

/** Every import that breaks a rule, and every cycle. */
function violations(sources: Sources): string[] {
  const imports = importsIn(sources);
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

  it('reject what breaks them', async () => {
    const sources = await readSources();
    /** One for each kind of rule. */
    const planted: readonly Sources[] = [
      { 'contract/a.ts': "import { x } from '../store/store.ts';" },
      { 'http/a.ts': "import type { S } from '../store/sqlite/store.ts';" },
      { 'http/a.ts': "import { settings } from '../config.ts';" },
      { 'store/open.ts': "const m = await import('./tools/move.ts');" },
      { 'cli/a.ts': "const s = import('../store/sqlite/store.ts');" },
      { 'store/a.ts': "import {\n  DatabaseSync,\n} from 'node:sqlite';" },
      { 'store/postgres/a.ts': "export { page } from '../sqlite/reads/lists.ts';" },
      { 'unknown/a.ts': "import '../contract/errors.ts';" },
      { 'client/a.ts': "import { hash } from 'node:crypto';" },
      { 'cli/a.ts': "import type { b } from './b.ts';", 'cli/b.ts': "import { a } from './a.ts';" },
    ];
    for (const one of planted) {
      const found = violations({ ...sources, ...one });
      assert.equal(found.length, 1, `${JSON.stringify(one)}: ${found.join()}`);
    }
    const intended = {
      'http/a.ts': "import type { Config } from '../config.ts';",
      'cli/a.ts': "import { createApp } from '../http/app.ts';",
    };
    assert.deepEqual(violations({ ...sources, ...intended }), []);
  });

  it('allow no cycle in bench/', async () => {
    const sources = await readSources(BENCH);
    assert.ok(Object.hasOwn(sources, 'main.ts'), 'no source file was found');
    assert.deepEqual(cycles(importsAmong(sources)), []);
  });
});
