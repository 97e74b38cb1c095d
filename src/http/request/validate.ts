import { hash } from 'node:crypto';
import { parse } from 'node:querystring';
import { ApiError } from '../../contract/errors.ts';
import { parseIdempotencyKey } from '../../contract/idempotency-key.ts';
import { type Fields, type Validated, validate } from '../../contract/validate.ts';
import type { IdempotencyKey } from '../../store/store.ts';
import { prefersStrict } from './prefer.ts';
import type { Call, Endpoint, HttpRequest, Inputs } from './request.ts';

const NOTHING: Validated<undefined> = { value: undefined, problems: [] };

/** The query of a request that has none, validated once; undefined for an endpoint that also takes a body. */
export function acceptNothing({ query, body }: Inputs): Pick<Call, 'query'> | undefined {
  return body ? undefined : { query: query && validate(query, {}, false).value };
}

/** The call that the request makes, or one error with every problem of it. */
export function validateCall(
  { inputs, operation, plainCall }: Endpoint,
  request: HttpRequest,
  body: unknown,
): Call {
  const parameter = request.path.slice(request.route.parameterAt);
  const strict = prefersStrict(request.headers.list('prefer'));
  if (strict && operation) request.answerHeaders.push('preference-applied', 'handling=strict');
  if (plainCall && request.query === '')
    return { request, parameter, query: plainCall.query, body: undefined, idempotencyKey: undefined };

  const query = inputs.query
    ? validate(inputs.query, parse(request.query, '&', '=', { maxKeys: 0 }), strict)
    : NOTHING;
  const key = inputs.idempotent ? parseIdempotencyKey(request.headers.all('idempotency-key')) : NOTHING;
  const content = inputs.body ? validateBody(inputs.body, body, strict) : NOTHING;
  const problems = [...query.problems, ...key.problems, ...content.problems];
  if (problems.length > 0) {
    const code = content.problems.length > 0 ? 'invalid_request' : 'invalid_parameter';
    throw new ApiError(code, `${problems.join('; ')}.`);
  }
  const idempotencyKey =
    key.value === undefined || !operation
      ? undefined
      : idempotencyKeyOf(key.value, request.keyId ?? '', operation.id, content.value);
  return { request, parameter, query: query.value, body: content.value, idempotencyKey };
}

function validateBody(schema: Fields, body: unknown, strict: boolean): Validated<unknown> {
  if (body === undefined) return { problems: ['the body is missing: send a JSON object'] };
  return validate(schema, body, strict);
}

/** Binds a key to its owner, the operation and the meaning of the body. */
function idempotencyKeyOf(key: string, owner: string, operation: string, body: unknown): IdempotencyKey {
  // Of the validated values, so that another spelling of the same body (order, white space, 1.0) is the same request.
  const text = JSON.stringify([operation, body], (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return { owner, key, fingerprint: hash('sha256', text, 'base64url') };
}
