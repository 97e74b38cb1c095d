import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Owner } from '../../support/service/owner.ts';
import { temporaryFolder } from '../../support/service/service.ts';

interface Finished {
  readonly code: number;
  readonly stdout: string;
  /** Without npm's notices and its warnings about settings of this machine. */
  readonly stderr: string;
}

interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<NodeJS.ProcessEnv>;
  /** The account to run as; needs root. */
  readonly uid?: number;
}

const TIMEOUT_MS = 240_000;
const OF_NPM = /^npm (?:notice|warn Unknown).*\n/gm;

/**
 * What npm needs to reach its registry from this machine (a proxy, certificates, settings in variables): everything that this
 * test was started with, except what Node and npm have set for the test itself.
 */
const forRegistry = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(?:NODE_(?:ENV|TEST_CONTEXT|COMPILE_CACHE)|npm_(?:package|lifecycle)_.*)$/.test(name),
  ),
);

/** Runs npm with the environment it would have outside the tests. Fails if it fails. */
export const npm = (args: readonly string[], { cwd, env }: RunOptions): Promise<Finished> =>
  succeed(['npm', ...args], { cwd, env: { ...forRegistry, ...env } });

/** A folder with packages that one test needs. A checkout does without them, and their optional dependencies are not needed. */
export async function installTools(t: Owner, ...packages: string[]): Promise<string> {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, 'package.json'), '{}');
  const flags = ['--prefer-offline', '--ignore-scripts', '--omit=optional'];
  await npm(['install', ...flags, ...packages], { cwd: folder });
  return folder;
}

/** Runs a command to its end. Its environment has `PATH`, `HOME` and what is given. */
export function run([file = '', ...args]: readonly string[], options: RunOptions): Promise<Finished> {
  const { cwd, uid } = options;
  // The last one is for machines whose registry has a certificate of the company.
  const { PATH = '', HOME = '', NODE_EXTRA_CA_CERTS = '' } = process.env;
  const env = { PATH, HOME, NODE_EXTRA_CA_CERTS, ...options.env };
  return new Promise((resolve) => {
    const settings = { cwd, env, timeout: TIMEOUT_MS, ...(uid !== undefined && { uid, gid: uid }) };
    execFile(file, args, settings, (error, stdout, stderr) => {
      const code = error ? Number(error.code ?? 1) : 0;
      resolve({ code, stdout, stderr: stderr.replace(OF_NPM, '') });
    });
  });
}

/** As `run`, for a command that must succeed. Returns what it printed on standard output. */
export const runOrFail = async (command: readonly string[], options: RunOptions): Promise<string> =>
  (await succeed(command, options)).stdout;

async function succeed(command: readonly string[], options: RunOptions): Promise<Finished> {
  const finished = await run(command, options);
  const { code, stdout, stderr } = finished;
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return finished;
}
