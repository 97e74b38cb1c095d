interface Limit {
  readonly value: number;
  /** What is bounded, and why it is. */
  readonly meaning: string;
  /** What happens at the bound. */
  readonly beyond: string;
  /** The test that shows it. */
  readonly test: string;
}

const attacks = 'test/attacks';

/**
 * Everything that a client can send, occupy or wait for is bounded by this table. The server's settings, the texts of its errors and
 * docs/limits.md are derived from it. Bounds for the CPU caches, or for fairness within a tick of the event loop, are next to the code
 * that needs them.
 */
export const limitsPage = {
  headerBytes: {
    value: 16 * 1024,
    meaning: 'bytes of the request line and all headers of a request together',
    beyond: '431, and the connection is closed',
    test: 'test/http/request/broken-requests.test.ts',
  },
  headerCount: {
    value: 200,
    meaning: 'headers of a request: each costs time, however short it is',
    beyond: '431, and the connection is closed',
    test: 'test/http/request/broken-requests.test.ts',
  },
  targetBytes: {
    value: 8 * 1024,
    meaning: 'bytes of the path with its query',
    beyond: '414',
    test: 'test/http/request/broken-requests.test.ts',
  },
  bodyBytes: {
    value: 64 * 1024,
    meaning: 'bytes of a body',
    beyond: '413, before it is read if its length is announced',
    test: 'test/http/request/bodies.test.ts',
  },
  bodyChunks: {
    value: 1024,
    meaning:
      'parts in which a body arrives, chunks or packets: each, however small, costs as much as a large one',
    beyond: '400',
    test: 'test/http/request/bodies.test.ts',
  },
  heldBodyBytes: {
    value: 16 * 1024 * 1024,
    meaning: 'bytes of bodies of all clients that are not handled yet',
    beyond: '503 for the oldest',
    test: 'test/http/request/bodies.test.ts',
  },
  headersMs: {
    value: 10_000,
    meaning: 'milliseconds until the headers of a request have arrived',
    beyond: '408, and the connection is closed',
    test: 'test/http/server/time-outs.slow.test.ts',
  },
  requestMs: {
    value: 30_000,
    meaning: 'milliseconds until a whole request has arrived',
    beyond: '408, and the connection is closed',
    test: 'test/http/server/time-outs.slow.test.ts',
  },
  connections: {
    value: 10_000,
    meaning: 'connections; fewer if the limit of open files is low',
    beyond:
      'the longest idle are closed, also those with a part of a request; a new one is refused when none is idle',
    test: `${attacks}/connection-limit.slow.test.ts`,
  },
  streams: {
    value: 1000,
    meaning: 'streams of events: every event is written to each',
    beyond: '503',
    test: `${attacks}/event-streams.slow.test.ts`,
  },
  shareOfStreams: {
    value: 0.25,
    meaning:
      'of the connections: the share of all streams, because none is closed to make room for another client',
    beyond: '503',
    test: 'test/http/server/crowded.test.ts',
  },
  shareOfKey: {
    value: 0.5,
    meaning: 'of the streams: the share of one API key',
    beyond: '503',
    test: 'test/http/server/crowded.test.ts',
  },
  unreadBytes: {
    value: 16 * 1024 * 1024,
    meaning: 'bytes of answers that clients have not read, on all connections together',
    beyond: 'the connections that have been sending for the longest are closed',
    test: `${attacks}/slow-reader.slow.test.ts`,
  },
  responseMs: {
    value: 30_000,
    meaning: 'milliseconds to read a whole answer',
    beyond: 'the connection is closed',
    test: `${attacks}/slow-reader.slow.test.ts`,
  },
  streamBytes: {
    value: 256 * 1024,
    meaning: 'bytes of a stream that its client has not read when there is more to send',
    beyond: 'the connection is closed; the client resumes after its last event',
    test: `${attacks}/event-streams.slow.test.ts`,
  },
  keepAliveMs: {
    value: 15_000,
    meaning: 'milliseconds between two parts of a stream',
    beyond: 'the client gets a comment, so that proxies keep the connection open',
    test: 'test/http/feed/event-stream-connection.test.ts',
  },
  idleMs: {
    value: 65_000,
    meaning:
      'milliseconds between two requests of a connection: longer than proxies wait, so that they close first',
    beyond: 'the connection is closed',
    test: `${attacks}/refused-connections.slow.test.ts`,
  },
  lingerMs: {
    value: 1000,
    meaning: 'milliseconds in which a client can read the answer after which its connection is closed',
    beyond: 'the connection is closed, whatever is unread',
    test: `${attacks}/refused-connections.slow.test.ts`,
  },
  graceMs: {
    value: 1000,
    meaning: 'milliseconds of a shutdown in which an idle connection may still send a request',
    beyond: 'the connection is closed',
    test: 'test/process/drain.slow.test.ts',
  },
  drainMs: {
    value: 7000,
    meaning: 'milliseconds of a shutdown in which accepted requests are answered',
    beyond: 'what is left is cut off',
    test: 'test/process/drain.slow.test.ts',
  },
  checkMs: {
    value: 1000,
    meaning: 'milliseconds between two checks of these times: each can be exceeded by this much',
    beyond: '',
    test: 'test/http/server/time-outs.slow.test.ts',
  },
  keyLookUps: {
    value: 1000,
    meaning: 'requests that wait until the store says whether their key is new',
    beyond: '503',
    test: 'test/keys/verifier.test.ts',
  },
  eventLoopMs: {
    value: 500,
    meaning:
      'milliseconds that an iteration of the event loop may take before the service counts as overloaded',
    beyond: 'up to a third of the requests get 503, until the load ends',
    test: 'test/http/server/load-shedding.test.ts',
  },
  lookedAt: {
    value: 20_000,
    meaning:
      'animals, orders or events that a request looks at when no index finds what it asks for, divided by the number of words that it looks for; a text of more than 200 bytes counts as several. It takes some milliseconds, and up to 0.1 s if all texts are as long as they may be',
    beyond: 'the page ends there, and its `Link` leads on',
    test: 'test/http/pets/bounded-pages.test.ts',
  },
  cachedCharacters: {
    value: 4 * 1024 * 1024,
    meaning: 'characters of first pages that are cached, for each list',
    beyond: 'the cache of the list is emptied',
    test: 'test/http/pets/first-page-cache.slow.test.ts',
  },
} as const satisfies Record<string, Limit>;

type Limits = Readonly<Record<keyof typeof limitsPage, number>>;

export const limits = Object.fromEntries(
  Object.entries(limitsPage).map(([name, { value }]) => [name, value]),
) as Limits;

/** The limits that tests may change, so that they need not wait for the real ones. */
export type ServerLimits = Pick<
  Limits,
  | 'connections'
  | 'headersMs'
  | 'requestMs'
  | 'idleMs'
  | 'responseMs'
  | 'streamBytes'
  | 'keepAliveMs'
  | 'lingerMs'
  | 'graceMs'
  | 'drainMs'
  | 'checkMs'
>;

export const kib = (bytes: number): string => `${bytes / 1024} KiB`;
