import type { ApiError } from '../../contract/errors.ts';
import type { Refusal } from '../../keys/ring.ts';
import type { RequestHeaders } from './headers.ts';
import { requestId } from './request-id.ts';
import type { Endpoint, Route, Routes } from './route.ts';
import { decodePath, requestTarget } from './target.ts';

/** A request as the transport hands it over: plain values, and a body to read when a stage asks for it. */
export interface ReceivedRequest {
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: RequestHeaders;
  /** The address and port that the connection was made to. */
  readonly local: { readonly address: string; readonly port: number };
  /** Why the rest of the request will never arrive, when that is known. */
  readonly failure: ApiError | undefined;
  /** The whole body, at most `limit` bytes of it. Fails with the ApiError that says what is wrong with it. */
  readBody(limit: number): Buffer | Promise<Buffer>;
  /** Tells a client that waits for it to send the body. */
  sendContinue(): void;
}

/** A request on its way through the stages, with what they have found out about it. */
export interface HttpRequest {
  readonly received: ReceivedRequest;
  readonly method: string;
  readonly headers: RequestHeaders;
  readonly id: string;
  /** The path, decoded, and the query as it was sent. */
  readonly path: string;
  readonly query: string;
  readonly route: Route;
  /** What serves it; undefined when the path or the method does not exist. */
  readonly endpoint: Endpoint | undefined;
  /** Headers that the answer carries whatever becomes of the request. Stages add to it. */
  readonly answerHeaders: string[];
  /** The id of the API key, once it is known. */
  keyId: string | undefined;
  /** Why its key was refused: for the log, never for the client. */
  refusal: Refusal | 'missing' | 'malformed' | undefined;
}

/** A fragment has no place in a request; a client that sends one means the path before it. */
const QUERY_OR_FRAGMENT = /[?#]/;

/** Names the request and finds what it is addressed to. Refuses nothing: the key has the first word. */
export function identify(received: ReceivedRequest, routes: Routes): HttpRequest {
  const { method, headers } = received;
  const id = requestId(headers.all('x-request-id'));
  const target = requestTarget(received.target);
  const mark = target.search(QUERY_OR_FRAGMENT);
  const path = decodePath(mark < 0 ? target : target.slice(0, mark));
  const query = mark < 0 ? '' : target.slice(mark + 1);
  const route = routes.find(path);
  const endpoint = route.endpoints?.get(method);
  const answerHeaders = endpoint ? ['x-request-id', id, ...endpoint.headers] : ['x-request-id', id];
  const unknown = { keyId: undefined, refusal: undefined };
  return { received, method, headers, id, path, query, route, endpoint, answerHeaders, ...unknown };
}
