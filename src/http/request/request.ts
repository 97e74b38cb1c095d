import type { InferOutput } from 'valibot';
import type { KeyRefusal } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import type { RequiredScope } from '../../contract/scope.ts';
import type { Fields, Validated } from '../../contract/validate.ts';
import type { AuthenticatedKey } from '../../keys/verifier.ts';
import type { WriteOptions } from '../../store/store.ts';
import type { Answer } from '../answer.ts';
import type { Exchange, RequestHeaders } from '../server/exchange.ts';

/** What the stages may use of the transport: plain values, and a body that is read when a stage asks for it. */
export type ReceivedRequest = Pick<
  Exchange,
  'method' | 'target' | 'httpVersion' | 'headers' | 'remoteAddress' | 'failure' | 'readBody' | 'sendContinue'
>;

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
  /** What serves it, or refuses it because the path or the method does not exist. */
  readonly endpoint: Endpoint;
  /** Headers of the response, whether the request succeeds or fails. Stages add to them. */
  readonly answerHeaders: string[];
  /** The API key, once it is accepted. */
  key: AuthenticatedKey | undefined;
  /** Why its key was refused: for the log, never for the client. */
  refusal: KeyRefusal | undefined;
  /** The key that it has created or changed, for the log. */
  targetKeyId: string | undefined;
}

/** What serves a method of a path. */
export interface Endpoint {
  readonly inputs: Inputs;
  /** Its operation in the contract; undefined for other paths, such as `/healthz`. */
  readonly operation?: Operation;
  /** The scope that the API key needs, or `public` if no key is needed. */
  readonly access: RequiredScope | 'public';
  /** Reads or refuses the values of the `Idempotency-Key` header; without it, the header is ignored. */
  readonly parseKey?: ((sent: readonly string[]) => Validated<string | undefined>) | undefined;
  /** Whether monitoring calls it all the time, so that its successes are not logged. */
  readonly isHealthCheck?: true;
  readonly handle: (call: Call) => Answer | Promise<Answer>;
  /** The headers of each of its responses, including errors. */
  readonly headers: readonly string[];
}

/** What a path leads to. */
export interface Route {
  /** The endpoints by method; undefined if there is no such path. */
  readonly endpoints: ReadonlyMap<string, Endpoint> | undefined;
  /** What answers every other method. */
  readonly other: Endpoint;
  /** The path as it was added, such as `/v1/pets/{petId}`; undefined when there is no such path. */
  readonly template: string | undefined;
  /** Where in the path the value of its parameter begins; at its end or after it when it has none. */
  readonly parameterAt: number;
  /** The part of the path after the parameter, such as `/restore`. */
  readonly suffix: string;
}

/** What an endpoint takes: the inputs of its operation, or nothing. */
interface Inputs {
  readonly query?: Fields;
  readonly body?: Fields;
  readonly conditional?: true;
}

/** What a handler is given: the parts of the request as the contract promises them. */
export interface Call<I extends Inputs = Inputs> {
  readonly request: HttpRequest;
  /** The value of the path parameter; empty when the path has none. */
  readonly parameter: string;
  readonly query: I['query'] extends Fields ? InferOutput<I['query']> : unknown;
  readonly body: I['body'] extends Fields ? InferOutput<I['body']> : unknown;
  /** Who makes the change, and its conditions. */
  readonly options: WriteOptions;
}
