const MAPPED = '::ffff:';

/** IPv4 addresses look the same whether the socket is an IPv4 or an IPv6 one. */
export const plainAddress = (address: string): string =>
  address.startsWith(MAPPED) && address.includes('.') ? address.slice(MAPPED.length) : address;

/** The addresses that probably belong to one client: an IPv4 address, or an IPv6 network of 64 bits. */
export function networkOf(sent: string): string {
  const address = plainAddress(sent);
  if (!address.includes(':')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  return [...groups, ...Array<string>(zeros).fill('0'), ...after].slice(0, 4).join(':');
}
