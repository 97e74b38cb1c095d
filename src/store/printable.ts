/** A DATABASE_URL as it may be shown and logged: without user, password and parameters. */
export function printable(url: string): string {
  if (!url.includes('://')) return url;
  const [scheme = '', rest = ''] = url.split(/:\/\/(.*)/s, 2);
  if (!rest.includes('@')) return `${scheme}://${/^[\w.,-]+(?=[:/?]|$)/.exec(rest)?.[0] ?? '…'}`;
  return `${scheme}://${rest.split('@').at(-1)?.split('?', 1)[0]}`;
}
