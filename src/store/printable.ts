/** A DATABASE_URL as it may be shown and logged: without user, password and parameters. */
export function printable(url: string): string {
  if (!url.includes('://')) return url;
  const [scheme = '', rest = ''] = url.split(/:\/\/(.*)/s, 2);
  return `${scheme}://${rest.split('?', 1)[0]?.split('@').at(-1)}`;
}
