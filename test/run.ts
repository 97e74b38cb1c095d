import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

const SERVICE = 'attacks,cli,client,data,fuzz,http,keys,package,process,serve,store';
const FAULTS = 'attacks,package,deploy,process,postgres';

/** The files of each part, and how many of them run at once. */
const parts = new Map([
  ['fast', { files: ['test/**/!(*.slow|*.alone).test.ts'], concurrency: 5 }],
  ['slow', { files: ['test/**/*.slow.test.ts'], concurrency: 5 }],
  // What measures memory or delays.
  ['alone', { files: ['test/**/*.alone.test.ts'], concurrency: 1 }],
  // The slow tests whose result can depend on the version of Node.
  ['service', { files: [`test/{${SERVICE}}/**/*.slow.test.ts`], concurrency: 5 }],
  // What kills processes, breaks disks and attacks, for longer than CI has time.
  [
    'faults',
    { files: [`test/{${FAULTS}}/*.test.ts`, 'test/store/{history,postgres}.slow.test.ts'], concurrency: 1 },
  ],
]);

/**
 * Runs tests with the Node that runs this file: `node test/run.ts fast`, several parts one after the other, or files.
 * It fails if one of them fails, after all have run.
 */
function main(names: readonly string[]): void {
  const files = names.filter((name) => !parts.has(name));
  if (files.length > 0) run(files, 5);
  for (const [name, { files, concurrency }] of parts)
    if (names.includes(name)) run(files, concurrency, name === 'faults' ? { TEST_FAULTS: '1' } : {});
}

function run(files: readonly string[], concurrency: number, env: NodeJS.ProcessEnv = {}): void {
  const args = [
    '--test',
    '--test-global-setup=test/support/global-setup.ts',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./test/support/failed-files.ts',
    '--test-reporter-destination=stdout',
    `--test-concurrency=${concurrency}`,
    ...files,
  ];
  const PATH = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const NODE_COMPILE_CACHE = join(ROOT, 'node_modules/.cache/tests');
  // Messages quote the path of a database for the shell if they have to, and tests expect it as it is.
  const TMPDIR = /^[\w/.-]+$/.test(tmpdir()) ? tmpdir() : '/tmp';
  const options = { cwd: ROOT, env: { ...process.env, PATH, NODE_COMPILE_CACHE, TMPDIR, ...env } };
  if (spawnSync(process.execPath, args, { ...options, stdio: 'inherit' }).status !== 0) process.exitCode = 1;
}

main(process.argv.slice(2));
