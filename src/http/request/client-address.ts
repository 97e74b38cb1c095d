import { BlockList, isIP, isIPv4 } from 'node:net';
import { plainAddress } from '../server/exchange.ts';
import type { ReceivedRequest } from './request.ts';

/** Finds the address of the client that sent a request. The result is always an IP address, or empty if unknown. */
export type ClientAddress = (received: ReceivedRequest) => string;

/** An address with a port, as some proxies write it: `192.0.2.1:4711`, `[2001:db8::1]:4711`, `[2001:db8::1]`. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/;

/**
 * The address of the connection or, if that belongs to a trusted proxy, the one that the proxy names in X-Forwarded-For.
 * Each trusted proxy vouches for the entry it has appended, so the list is read from its end up to the first address that
 * is not trusted: what a client wrote into the header itself is never believed. Undefined without trusted proxies: then it is the address of
 * the connection.
 */
export function clientAddress(trustedProxies: readonly string[]): ClientAddress | undefined {
  if (trustedProxies.length === 0) return undefined;
  const trusted = blockListOf(trustedProxies);
  const isTrusted = (address: string) => trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  return ({ remoteAddress, headers }) => {
    let address = remoteAddress;
    if (isIP(address) === 0 || !isTrusted(address)) return address;
    const entries = (headers.list('x-forwarded-for') ?? '').split(',');
    for (let i = entries.length - 1; i >= 0; i--) {
      const entry = addressIn(entries[i] as string);
      if (entry === undefined) return address;
      address = entry;
      if (!isTrusted(address)) return address;
    }
    return address;
  };
}

/** Addresses and networks in CIDR notation. Throws on anything else. */
function blockListOf(proxies: readonly string[]): BlockList {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

function addressIn(entry: string): string | undefined {
  const text = entry.trim();
  const [, bracketed, bare] = WITH_PORT.exec(text) ?? [];
  const [address = ''] = (bracketed ?? bare ?? text).split('%');
  return isIP(address) === 0 ? undefined : plainAddress(address.toLowerCase());
}
