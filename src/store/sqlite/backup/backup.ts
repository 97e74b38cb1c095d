import type { ContentCounts } from './content-counts.ts';
import { copyDatabase } from './copy.ts';

export interface BackupOptions {
  /** Whether to replace an existing file. */
  readonly overwrite: boolean;
  /** Called when the copy is complete and its verification begins. */
  readonly onVerify?: () => void;
}

export interface BackupResult {
  readonly counts: ContentCounts;
  readonly bytes: number;
  /** Why `restore` would refuse the file as it is; empty if it would not. */
  readonly problems: readonly string[];
}

/**
 * Writes a backup of the database `from` to the file `to`. Whatever can be read is saved, and then reported: a store that was changed
 * by hand needs a backup more than any other.
 */
export function writeBackup(from: string, to: string, { overwrite, onVerify }: BackupOptions): BackupResult {
  const copy = copyDatabase(from, to, { onVerify });
  try {
    copy.publish({ overwrite });
    const { counts, bytes, problems } = copy;
    return { counts, bytes, problems };
  } finally {
    copy.close();
  }
}
