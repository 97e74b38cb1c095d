import type { Operation } from '../../contract/operation.ts';

/** The headers of every response of a deprecated operation, including a 401. Empty for other operations. */
export function deprecationHeaders({ path, deprecated }: Operation): string[] {
  if (!deprecated) return [];
  const { since, sunset, successor } = deprecated;
  // Relative, so that they also resolve below a path prefix that a proxy has removed.
  const base = '../'.repeat(path.split('/').length - 2);
  const links = [
    `<${base}${successor.slice(1)}>; rel="successor-version"`,
    `<${base}../openapi.json>; rel="deprecation"; type="application/json"`,
  ];
  return [
    ...['deprecation', `@${Date.parse(since) / 1000}`],
    ...['sunset', new Date(sunset).toUTCString()],
    ...['link', links.join(', ')],
  ];
}
