import { UsageError } from '../config.ts';
import { ApiError } from '../contract/errors.ts';
import { fileError } from '../store/file-errors.ts';
import { StoreError, StoreUnavailableError } from '../store/store.ts';
import { run } from './commands.ts';
import { type Io, note } from './io.ts';

/** The caller of a command can tell failures apart by these codes; 0 is success. docs/operations.md says the same. */
const exitCodes = {
  /** The command could not do its work, or `doctor` has found a problem. */
  failed: 1,
  /** A wrong call, setting or file, or a database that a person has to look at: another try does not help. */
  usage: 2,
  /** The database cannot be used now: another try may help. */
  unavailable: 3,
} as const;

/** Runs the command that `argv` names. Resolves with the exit code. */
export async function main(argv: readonly string[], io: Io): Promise<number> {
  try {
    await run(argv, io);
    return io.exitCode;
  } catch (cause) {
    const error = fileError(cause);
    note(io, `animal-store: ${error.message}`);
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof StoreUnavailableError || (error instanceof ApiError && error.code === 'unavailable'))
    return exitCodes.unavailable;
  if (error instanceof UsageError || error instanceof StoreError) return exitCodes.usage;
  return exitCodes.failed;
}
