import type { InferOutput } from 'valibot';
import type { ApiError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Precondition } from '../../contract/precondition.ts';
import type { RequiredScope } from '../../contract/scope.ts';
import type { Fields } from '../../contract/validate.ts';
import type { AuthenticatedKey } from '../../keys/authenticated-key.ts';
import type { Refusal } from '../../keys/verifier.ts';
import type { IdempotencyKey } from '../../store/store.ts';
import type { Answer } from '../answer.ts';
import type { RequestHeaders } from './headers.ts';

/** A request as the transport hands it over: plain values, and a body to read when a stage asks for it. */
export interface ReceivedRequest {
  readonly method: string;
  /** The request target as it was sent. */
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: RequestHeaders;
  /** Where the connection comes from: a client or a proxy. Empty when it is not known. */
  readonly remoteAddress: string;
  /** Where the connection was made to. */
  readonly localAddress: string;
  readonly localPort: number;
  /** Why the rest of the request will never arrive, when that is known. */
  readonly failure: ApiError | undefined;
  /** The id of the API key, once it is accepted: the transport bounds how many connections a key may have. */
  keyId: string | undefined;
  /** The whole body, if it is not too large. Fails with the ApiError that says what is wrong with it. */
  readBody(): Buffer | Promise<Buffer>;
  /** Asks a client that sent `Expect: 100-continue` to send the body. */
  sendContinue(): void;
}

/** A request on its way through the stages, with what they have found out about it. */
export interface HttpRequest {
  readonly received: ReceivedRequest;
  readonly method: string;
  readonly headers: RequestHeaders;
  readonly id: string;
  /** The IP address of the client, as far as the proxies on the way are trusted. */
  readonly address: string;
  /** The path, decoded, and the query as it was sent. */
  readonly path: string;
  readonly query: string;
  readonly route: Route;
  /** What serves it; undefined when the path or the method does not exist. */
  readonly endpoint: Endpoint | undefined;
  /** Headers of the response, whether the request succeeds or fails. Stages add to them. */
  readonly answerHeaders: string[];
  /** The API key, once it is accepted. */
  key: AuthenticatedKey | undefined;
  /** Why its key was refused: for the log, never for the client. */
  refusal: KeyRefusal | undefined;
}

export interface KeyRefusal {
  readonly refused: Refusal | 'missing' | 'malformed';
  /** If the key is known. */
  readonly keyId?: string;
}

/** What serves a method of a path. */
export interface Endpoint {
  readonly inputs: Inputs;
  /** Its row in the contract; none for what only looks after the service, such as `/healthz`. */
  readonly operation?: Operation;
  /** What the API key needs; `public`: no key is asked for outside the API. */
  readonly access: RequiredScope | 'public';
  /** Whether it is called all the time by what watches the service, and its success is not logged. */
  readonly isHealthCheck?: true;
  readonly handle: (call: Call) => Answer | Promise<Answer>;
  /** The headers of each of its responses, including errors. */
  readonly headers: readonly string[];
  /** The validated call of a request without query and body: the most frequent one, prepared once. */
  readonly plainCall?: Pick<Call, 'query'> | undefined;
}

/** What a path leads to. */
export interface Route {
  /** By method; undefined when there is no such path. */
  readonly endpoints: ReadonlyMap<string, Endpoint> | undefined;
  /** The path as it was added, such as `/v1/pets/{petId}`; undefined when there is no such path. */
  readonly template: string | undefined;
  /** Where in the path the value of its parameter begins; at its end or after it when it has none. */
  readonly parameterAt: number;
  /** The part of the path after the parameter, such as `/restore`. */
  readonly suffix: string;
}

/** What an endpoint takes: its row in the contract, or nothing at all. */
export interface Inputs {
  readonly query?: Fields;
  readonly body?: Fields;
  readonly idempotent?: true;
  readonly secret?: true;
  readonly conditional?: true;
}

/** What a handler is given: the parts of the request as the contract promises them. */
export interface Call<I extends Inputs = Inputs> {
  readonly request: HttpRequest;
  /** The value of the path parameter; empty when the path has none. */
  readonly parameter: string;
  readonly query: I['query'] extends Fields ? InferOutput<I['query']> : unknown;
  readonly body: I['body'] extends Fields ? InferOutput<I['body']> : unknown;
  /** Set for an idempotent operation if the client sent a key. */
  readonly idempotencyKey: IdempotencyKey | undefined;
  /** Set for a conditional operation if the client sent a condition. */
  readonly precondition: Precondition | undefined;
}
