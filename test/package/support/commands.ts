import { execFile } from 'node:child_process';

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  /** Without npm's notices and its warnings about settings of this machine. */
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The account to run as; needs root. */
  readonly uid?: number;
}

const TIMEOUT_MS = 120_000;
const OF_NPM = /^npm (?:notice|warn Unknown).*\n/gm;

/** Runs a command to its end. `NODE_ENV` and the settings of an npm that runs this test are not passed on. */
export function run([file = '', ...args]: readonly string[], options: RunOptions): Promise<Finished> {
  const { cwd, uid } = options;
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, ...options.env };
  return new Promise((resolve) => {
    const settings = { cwd, env, timeout: TIMEOUT_MS, ...(uid !== undefined && { uid, gid: uid }) };
    execFile(file, args, settings, (error, stdout, stderr) => {
      const code = error ? Number(error.code ?? 1) : 0;
      resolve({ code, stdout, stderr: stderr.replace(OF_NPM, '') });
    });
  });
}

/** As `run`, for a command that must succeed. Returns what it printed on standard output. */
export async function runOrFail(command: readonly string[], options: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(command, options);
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
  return stdout;
}
