import { constants, getPriority, setPriority } from 'node:os';
import type { CopyResult, OnCopyProgress } from '../store/backup.ts';
import { count } from './data-messages.ts';
import { ProgressReport } from './progress.ts';

/** Runs `copy` and shows its progress on a terminal. Resolves with its result and the time it took. */
export async function withCopyProgress(
  copy: (onProgress: OnCopyProgress) => Promise<CopyResult>,
): Promise<CopyResult & { readonly ms: number }> {
  lowerPriority();
  const progress = new ProgressReport();
  const result = await copy((fraction) => {
    if (fraction === undefined) progress.step('Verifying the copy …');
    else progress.step(`Copying … ${Math.floor(fraction * 100)} %`);
  }).finally(() => progress.clear());
  return { ...result, ms: Math.round(progress.elapsedMs) };
}

/** A service on the same machine comes first. Threads inherit the priority; not every environment allows to change it. */
function lowerPriority(): void {
  const low = constants.priority.PRIORITY_BELOW_NORMAL;
  try {
    if (getPriority() < low) setPriority(low);
  } catch {}
}

/** `5 animals, 1 order and 2 API keys`. */
export const contentOf = ({ counts: { animals, orders, keys } }: CopyResult): string =>
  `${count(animals, 'animal')}, ${count(orders, 'order')} and ${count(keys, 'API key')}`;

/** `98.3 MB`. */
export const fileSize = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
