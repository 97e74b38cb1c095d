/** The limits of a request: the server's settings and the texts of its errors are derived from them. */
export const limits = {
  bodyBytes: 64 * 1024,
  headerBytes: 16 * 1024,
  headerCount: 200,
  targetBytes: 8 * 1024,
  headersMs: 10_000,
  requestMs: 30_000,
} as const;

export const kib = (bytes: number): string => `${bytes / 1024} KiB`;
