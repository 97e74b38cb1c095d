import { UsageError } from '../config.ts';
import { DataError, type Format, formatOf } from '../data/format.ts';

/** The format that `--format` names, or that of the file. */
export function formatFor(file: string, given: string | boolean | undefined): Format {
  try {
    return formatOf(file, typeof given === 'string' ? given : undefined);
  } catch (error) {
    throw error instanceof DataError ? new UsageError(error.message, { cause: error }) : error;
  }
}
