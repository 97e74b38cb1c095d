import type { CopyResult } from '../store/tools/backup.ts';

/** `1 animal`, `2,000 animals`. */
export const count = (number: number, one: string, several = `${one}s`): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : several}`;

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** `5 animals, 1 order and 2 API keys`. */
export const contentOf = ({ counts: { animals, orders, keys } }: CopyResult): string =>
  `${count(animals, 'animal')}, ${count(orders, 'order')} and ${count(keys, 'API key')}`;

/** `98.3 MB`. */
export const fileSize = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
