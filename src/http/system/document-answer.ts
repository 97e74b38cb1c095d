import { isNoneMatch, parsePrecondition } from '../../contract/precondition.ts';
import type { Encoding } from '../../web/site.ts';
import type { Answer } from '../answer.ts';
import type { RequestHeaders } from '../server/exchange.ts';

const PREFERRED: readonly Encoding[] = ['br', 'gzip'];

/** A document that seldom changes, in the encodings there are. */
export interface Document {
  /** Names and values in turn, with `etag` and `vary`. */
  readonly headers: readonly string[];
  readonly etag: string;
  readonly bodies: { readonly identity: Uint8Array } & Readonly<Partial<Record<Encoding, Uint8Array>>>;
}

/** The document in an encoding that the client accepts, or 304 if the client has a copy. */
export function documentAnswer(headers: RequestHeaders, document: Document): Answer {
  const { etag, bodies } = document;
  const { value } = parsePrecondition(undefined, headers.list('if-none-match'));
  if (value && !isNoneMatch(value, etag)) return { status: 304, headers: document.headers, body: '' };
  const encoding = encodingFor(headers, bodies);
  const encoded = encoding === 'identity' ? [] : ['content-encoding', encoding];
  return {
    status: 200,
    headers: [...document.headers, ...encoded],
    body: bodies[encoding] ?? bodies.identity,
  };
}

/** The first encoding of those there are that the client names and does not exclude by `q=0`; otherwise plain text, which every client reads. */
function encodingFor(headers: RequestHeaders, bodies: Document['bodies']): Encoding {
  const accepted = headers.list('accept-encoding') ?? '';
  const named = accepted.split(',').map((item) => item.trim().toLowerCase());
  return PREFERRED.find((one) => bodies[one] && named.some((item) => accepts(item, one))) ?? 'identity';
}

function accepts(item: string, encoding: Encoding): boolean {
  if (!item.startsWith(encoding)) return false;
  const [name, ...parameters] = item.split(';').map((part) => part.trim());
  return name === encoding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
}
