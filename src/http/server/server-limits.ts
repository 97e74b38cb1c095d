import { limits } from '../../contract/limits.ts';

/** How many connections there may be, and how long a client may take for each step. */
export interface ServerLimits {
  /** Beyond this many connections, those that are not at work are closed. */
  readonly connections: number;
  /** Until the headers of a request have arrived. */
  readonly headersMs: number;
  /** Until a whole request has arrived. */
  readonly requestMs: number;
  /** Then its body must arrive at this pace on average, however small it is: a request that does not arrive is refused. */
  readonly bodyGraceMs: number;
  readonly bodyBytesPerSecond: number;
  /** Between two requests of a connection. */
  readonly idleMs: number;
  /** To read a whole response, even if the client keeps reading slowly. */
  readonly responseMs: number;
  /** Of a stream that a client has not read when there is more to send: beyond it, the client is cut off. */
  readonly streamBytes: number;
  /** Between two parts of a stream; then the client gets bytes without a meaning. */
  readonly keepAliveMs: number;
  /** To read a refusal after which the connection is closed. */
  readonly lingerMs: number;
  /** During shutdown, a keep-alive client may still send a request on an idle connection, and is answered. */
  readonly graceMs: number;
  /** Then a request that is still arriving, or a client that does not read, is cut off. */
  readonly drainMs: number;
  /** How often all of these are checked: a limit can be exceeded by this much. */
  readonly checkMs: number;
}

/** Every event is written to each stream. */
const STREAMS_MAX = 1000;
/** The part of all connections that may be streams: a stream never makes room for another client. */
const STREAMS_SHARE = 0.25;

/** How many streams there may be. */
export const maxStreams = ({ connections }: ServerLimits): number =>
  Math.min(STREAMS_MAX, Math.ceil(connections * STREAMS_SHARE));

/** What the service applies. Only tests have a reason to change them. */
export const serverLimits: ServerLimits = {
  connections: 10_000,
  headersMs: limits.headersMs,
  requestMs: limits.requestMs,
  bodyGraceMs: 5000,
  bodyBytesPerSecond: 1024,
  idleMs: 65_000,
  responseMs: 30_000,
  streamBytes: 256 * 1024,
  keepAliveMs: 15_000,
  lingerMs: 1000,
  graceMs: 1000,
  drainMs: 7000,
  checkMs: 1000,
};
