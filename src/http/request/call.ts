import { hash } from 'node:crypto';
import querystring, { type ParsedUrlQuery } from 'node:querystring';
import { ApiError } from '../../contract/errors.ts';
import type { Operation } from '../../contract/operation.ts';
import { type Precondition, parsePrecondition } from '../../contract/precondition.ts';
import { type Fields, type Validated, validate } from '../../contract/validate.ts';
import type { WriteOptions } from '../../store/store.ts';
import type { Call, HttpRequest } from './request.ts';

const NOTHING: Validated<undefined> = { value: undefined, problems: [] };

/** Validates a request. Throws one error that names every problem. */
export function validateCall(request: HttpRequest, body: unknown): Call {
  const { inputs, operation, parseKey } = request.endpoint;
  const { parameterAt, suffix } = request.route;
  const parameter = request.path.slice(parameterAt, request.path.length - suffix.length);
  const condition = inputs.conditional ? conditionOf(request) : NOTHING;
  const parameters = request.query === '' ? NO_PARAMETERS : parseQuery(request.query);
  const query = inputs.query ? validateQuery(inputs.query, parameters) : NOTHING;
  const key = parseKey?.(request.headers.all('idempotency-key')) ?? NOTHING;
  const content = inputs.body ? validateBody(inputs.body, body) : NOTHING;
  const problems = [...query.problems, ...key.problems, ...condition.problems, ...content.problems];
  if (problems.length > 0) {
    const code = content.problems.length > 0 ? 'invalid_request' : 'invalid_parameter';
    throw new ApiError(code, `${problems.join('; ')}.`);
  }
  const precondition = condition.value;
  const { author: by, id: owner = '' } = request.key ?? {};
  const options: WriteOptions = { precondition, by };
  const call = { request, parameter, query: query.value, body: content.value, options };
  if (key.value === undefined || !operation) return call;
  const idempotencyKey = { owner, key: key.value, fingerprint: fingerprintOf(operation, call) };
  return { ...call, options: { ...options, idempotencyKey } };
}

const NO_PARAMETERS: ParsedUrlQuery = {};
/** The result of validating an empty query, which most requests have, by schema. */
const withoutParameters = new WeakMap<Fields, Validated<unknown>>();

function validateQuery(schema: Fields, parameters: ParsedUrlQuery): Validated<unknown> {
  if (parameters !== NO_PARAMETERS) return validate(schema, parameters);
  const known = withoutParameters.get(schema) ?? validate(schema, parameters);
  withoutParameters.set(schema, known);
  return known;
}

const conditionOf = ({ headers }: HttpRequest): Validated<Precondition | undefined> =>
  parsePrecondition(headers.list('if-match'), headers.list('if-none-match'));

function validateBody(schema: Fields, body: unknown): Validated<unknown> {
  if (body === undefined) return { problems: ['the body is missing: send a JSON object'] };
  return validate(schema, body);
}

/** Equal for requests that ask for the same thing. */
function fingerprintOf({ id, params }: Operation, { parameter, query = {}, body, options }: Call): string {
  // Left out for a create, and an empty query for an operation that has none, so that a fingerprint is the same in every version.
  const target = params ? [parameter, query, options.precondition ?? null] : [];
  // Of the validated values, so that another spelling of the same body (order, white space, 1.0) is the same request.
  const text = JSON.stringify([id, ...target, body], (_, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return hash('sha256', text, 'base64url');
}

const NO_ESCAPE = /%(?![\da-f]{2})/gi;
const ASCII_ESCAPE = /%(?=[0-7])/g;

/**
 * The parameters of a query. One that is given several times has a list of values. What is not UTF-8 is replaced, as `parse` itself does,
 * but once for the whole query: `parse` throws and catches an exception for each broken value, which makes a query full of them expensive.
 */
function parseQuery(query: string): ParsedUrlQuery {
  // The escapes that are left are ASCII: they cannot be malformed, and may stand for a separator.
  const decodable = query.includes('%')
    ? querystring.unescape(query.replaceAll(NO_ESCAPE, '%25').replaceAll(ASCII_ESCAPE, '%25'))
    : query;
  return querystring.parse(decodable, '&', '=', { maxKeys: 0 });
}
