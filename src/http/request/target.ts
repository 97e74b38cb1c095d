const ORIGIN = /^https?:\/\/[^/?#]*/i;
/** It has no place in a request; a client that sends one means what comes before it. */
const FRAGMENT = /#.*/;

/**
 * The request target as a path with its query. The absolute form (`GET http://host/v1/pets`), which HTTP wants every
 * server to accept, loses its origin.
 */
export function requestTarget(sent: string): string {
  const whole = sent.includes('#') ? sent.replace(FRAGMENT, '') : sent;
  if (whole.startsWith('/')) return whole;
  const target = whole.replace(ORIGIN, '');
  return target === '' ? '/' : target;
}

/**
 * The path with its percent-encoding decoded segment by segment; an encoded slash stays encoded and separates nothing. A
 * path with a broken encoding is taken literally: it names nothing, and is an ordinary 404 after the ordinary checks.
 */
export function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    const segments = path.split('/').map(decodeURIComponent);
    return segments.map((segment) => segment.replaceAll('/', '%2F')).join('/');
  } catch {
    return path;
  }
}
