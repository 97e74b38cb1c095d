import fc from 'fast-check';
import { type FuzzRequest, fuzzRequest } from './requests.ts';

/** What one connection sends. */
export interface Session {
  /** The requests in order; undefined if the bytes are damaged, so that nobody can tell what they are. */
  readonly requests: readonly FuzzRequest[] | undefined;
  /** The bytes in the pieces in which they are written: those of one request after the other, or all at once if they are damaged. */
  readonly parts: readonly (readonly Buffer[])[];
  /** Whether the client closes its sending side after the last packet. */
  readonly ends: boolean;
}

const MAX_REQUESTS = 12;
const BLOCK = 250;

const cuts = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 6 }),
  },
);

const wellFormed: fc.Arbitrary<Session> = fc
  .record({
    requests: fc.array(fuzzRequest, { minLength: 1, maxLength: MAX_REQUESTS }),
    cuts,
    ends: fc.boolean(),
  })
  .map(({ requests, cuts, ends }) => ({
    requests,
    parts: requests.map(({ bytes }) => split(bytes, cuts)),
    ends,
  }));

const pieces = [
  ...['\r', '\n', '\0', ' ', ':', ',', '%', '?', '{', '"', '0', '9', '\xff', '\r\n', '\r\n\r\n', 'HTTP/1.1'],
  ...['Host: b\r\n', 'Content-Length: 1\r\n', 'Content-Length: -1\r\n', 'Content-Length: 99999999999\r\n'],
  ...['Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: gzip, chunked\r\n', 'Connection: Upgrade\r\n'],
  ...[
    'x'.repeat(20_000),
    '\r\n0\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n',
  ],
].map((text) => Buffer.from(text, 'latin1'));

/** Cuts `length` bytes out at `at` (a fraction of the bytes) and puts `piece` in their place. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.nat({ max: 12 }),
  piece: fc.oneof(
    fc.constant(Buffer.alloc(0)),
    fc.constantFrom(...pieces),
    fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
  ),
});

const damaged: fc.Arbitrary<Session> = fc
  .tuple(
    // The response to HEAD cannot be told from that to GET without knowing the request.
    fc.array(
      fuzzRequest.filter(({ method }) => method !== 'HEAD'),
      { minLength: 1, maxLength: 3 },
    ),
    // Without an edit, they are pipelined.
    fc.array(edit, { maxLength: 4 }),
    cuts,
  )
  .map(([requests, edits, cuts]) => {
    const whole: Buffer = Buffer.concat(requests.map(({ bytes }) => bytes));
    return { requests: undefined, parts: [split(edits.reduce(apply, whole), cuts)], ends: true };
  });

const noise: fc.Arbitrary<Session> = fc
  .tuple(fc.uint8Array({ minLength: 1, maxLength: 300 }), cuts)
  .map(([bytes, cuts]) => ({ requests: undefined, parts: [split(Buffer.from(bytes), cuts)], ends: true }));

const session = fc.oneof(
  { weight: 12, arbitrary: wellFormed },
  { weight: 6, arbitrary: damaged },
  { weight: 1, arbitrary: noise },
);

/** Without end; the same ones for the same seed. */
export function* sessions(seed: number): Generator<Session> {
  for (let block = 0; ; block++)
    yield* fc.sample(session, { seed: seed * 1_000_003 + block, numRuns: BLOCK });
}

function apply(bytes: Buffer, { at, length, piece }: { at: number; length: number; piece: Buffer }): Buffer {
  const start = Math.floor(at * bytes.length);
  return Buffer.concat([bytes.subarray(0, start), piece, bytes.subarray(start + length)]);
}

function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b), bytes.length];
  return ends.map((end, n) => bytes.subarray(ends[n - 1] ?? 0, end)).filter(({ length }) => length > 0);
}
