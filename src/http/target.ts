import type { IncomingMessage } from 'node:http';

/**
 * The request target in the form that routes know. The absolute form (`GET http://host/v1/pets`), which HTTP wants
 * every server to accept, loses its origin. A path with a broken percent-encoding is taken literally: it names
 * nothing, so it is an ordinary 404 behind the ordinary checks.
 */
export function requestTarget({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const target = url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  if (!target.includes('%')) return target;
  const [path = '', ...query] = target.split('?');
  try {
    decodeURIComponent(path);
    return target;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}
