const ORIGIN = /^https?:\/\/[^/?#]*/i;

/**
 * The request target as a path with its query. The absolute form (`GET http://host/v1/pets`), which HTTP wants every
 * server to accept, loses its origin.
 */
export function requestTarget(sent: string): string {
  if (sent.startsWith('/')) return sent;
  const target = sent.replace(ORIGIN, '');
  return target === '' ? '/' : target;
}

/**
 * The segments of a path, decoded one by one, so that an encoded slash separates nothing. A path with a broken
 * percent-encoding is taken literally: it names nothing, and is an ordinary 404 after the ordinary checks.
 */
export function segmentsOf(path: string): string[] {
  const segments = path.split('/');
  if (!path.includes('%')) return segments;
  try {
    return segments.map(decodeURIComponent);
  } catch {
    return segments;
  }
}
