import type { InferOutput } from 'valibot';
import { ApiError } from '../contract/errors.ts';
import type { Operation } from '../contract/operation.ts';
import type { operations } from '../contract/operations.ts';
import { type Fields, type Validated, validate } from '../contract/validate.ts';
import type { Created, IdempotencyKey } from '../store/store.ts';
import { idempotencyKey, onceOf } from './idempotency.ts';

/** A request to an operation of the contract, before anything about it is known to be valid. */
export interface Asked {
  /** The target as it was asked for, below the host. */
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body?: unknown;
  /** Whether fields and parameters that the operation does not know are problems. */
  readonly strict: boolean;
  readonly keyId: string;
  /** Every Idempotency-Key header as it was sent. */
  readonly idempotencyKeys: readonly string[];
}

/** What a handler is given: the parts of the request as the operation's row promises them. */
export interface Call<O extends Operation> {
  readonly operation: O;
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: InferOutput<O['query']>;
  readonly body: O['body'] extends Fields ? InferOutput<O['body']> : undefined;
  /** Of an idempotent operation whose caller sent a key. */
  readonly once: IdempotencyKey | undefined;
}

/** What a handler gives: the JSON text of the answer, and headers of its own. */
export interface Answer {
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
}

type Operations = typeof operations;
export type Handler<O extends Operation = Operation> = (call: Call<O>) => Promise<Answer>;
/** What serves each operation. */
export type Handlers = { readonly [Id in keyof Operations]: Handler<Operations[Id]> };

const NONE: Validated<undefined> = { value: undefined, problems: [] };

/** The parts of the request, or every problem of them at once. */
export function accept<O extends Operation>(operation: O, asked: Asked): Call<O> {
  const query = validate(operation.query, asked.query, asked.strict);
  const key = operation.idempotent ? idempotencyKey(asked.idempotencyKeys) : NONE;
  const body = operation.body ? bodyOf(operation.body, asked) : NONE;
  const problems = [...query.problems, ...key.problems, ...body.problems];
  if (problems.length > 0) {
    const code = body.problems.length > 0 ? 'invalid_request' : 'invalid_parameter';
    throw new ApiError(code, `${problems.join('; ')}.`);
  }
  const once = key.value === undefined ? undefined : onceOf(key.value, asked.keyId, operation.id, body.value);
  const { target, params } = asked;
  return { operation, target, params, query: query.value, body: body.value, once } as Call<O>;
}

function bodyOf(schema: Fields, { body, strict }: Asked): Validated<unknown> {
  if (body === undefined) return { problems: ['the body is missing: send a JSON object'] };
  return validate(schema, body, strict);
}

/** The answer to a create, which says when the thing was made before. */
export function created<T>({ value, replayed }: Created<T>, toJson: (value: T) => string): Answer {
  return { text: toJson(value), ...(replayed && { headers: { 'idempotent-replayed': 'true' } }) };
}
