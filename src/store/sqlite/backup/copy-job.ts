import type { ContentCounts } from './content-counts.ts';

/** What the thread that copies a database has to do. */
export interface CopyJob {
  readonly kind: 'backup' | 'restore';
  readonly from: string;
  readonly to: string;
  /** The file to write to until it is complete. */
  readonly partial: string;
  /** Whether to replace an existing file. Only for a backup. */
  readonly overwrite: boolean;
}

export interface CopyResult {
  readonly counts: ContentCounts;
  readonly bytes: number;
}

/** From the thread: the copy is complete and being verified; then how it ended. */
export type CopyMessage =
  | 'verifying'
  | { readonly result: CopyResult }
  | { readonly problem: string; readonly isStoreError: boolean };
