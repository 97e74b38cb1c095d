import type { ApiError } from '../contract/errors.ts';

/** A request as the transport hands it over: plain values, and a body to read when a stage asks for it. */
export interface ReceivedRequest {
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: RequestHeaders;
  /** Where the connection comes from, as `plainAddress`: a client or a proxy. Empty when it is not known. */
  readonly remoteAddress: string;
  /** Why the rest of the request will never arrive, when that is known. */
  readonly failure: ApiError | undefined;
  /** Whether the store is being asked for its key. Until that is known, it makes room for other clients. */
  awaitsKey: boolean;
  /** The id of the API key, once it is accepted: the transport bounds how many connections a key may have. */
  keyId: string | undefined;
  /** The whole body, if it is not too large. Fails with the ApiError that says what is wrong with it. */
  readBody(): Buffer | Promise<Buffer>;
  /** Asks a client that sent `Expect: 100-continue` to send the body. */
  sendContinue(): void;
}

const NONE: readonly string[] = [];

/** The headers of a request as they were sent: Node's own `headers` joins some repeated ones and drops others. */
export class RequestHeaders {
  readonly #raw: readonly string[];

  /** Names and values in turn, as `rawHeaders` of node:http. */
  constructor(raw: readonly string[]) {
    this.#raw = raw;
  }

  /** Every value of the header with this lower-case name. */
  all(name: string): readonly string[] {
    let values: string[] | undefined;
    const raw = this.#raw;
    for (let i = 0; i < raw.length; i += 2) {
      if (!isNamed(raw[i] as string, name)) continue;
      values ??= [];
      values.push(raw[i + 1] as string);
    }
    return values ?? NONE;
  }

  /** The first value; undefined when the header is missing. */
  first(name: string): string | undefined {
    const raw = this.#raw;
    for (let i = 0; i < raw.length; i += 2) {
      if (isNamed(raw[i] as string, name)) return raw[i + 1];
    }
    return undefined;
  }

  /** All values as the one list that they mean together; undefined when the header is missing. */
  list(name: string): string | undefined {
    const values = this.all(name);
    return values.length === 0 ? undefined : values.join(', ');
  }
}

/** The lengths first: most headers differ in it, and comparing them costs nothing. */
const isNamed = (sent: string, name: string): boolean =>
  sent.length === name.length && (sent === name || sent.toLowerCase() === name);

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
