import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type ErrorCode, errors } from '../../src/contract/errors.ts';
import { openapi } from '../../src/contract/openapi/document.ts';
import { assertError } from '../support/assert.ts';
import type { RawAnswer } from '../support/wire/socket.ts';
import type { FuzzRequest } from './requests.ts';

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: { readonly 'application/json': { readonly schema: object } };
}
interface DocumentedOperation {
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

const MIN_INT64 = -(2 ** 63);
const document = openapi([]);
const paths = document.paths as unknown as Record<string, Record<string, DocumentedOperation>>;
const ajv = new Ajv2020({ strict: false });
// JSON.parse rounds to 2^63 what is just below it.
ajv.addFormat('int64', { type: 'number', validate: (n: number) => n >= MIN_INT64 && n <= -MIN_INT64 });
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/);
ajv.addSchema({ $id: 'openapi', components: document.components });

/** The template of every path below /v1, and how to recognise it. */
const templates = Object.keys(paths).map((template) => ({
  template,
  pattern: new RegExp(`^/v1${template.replace(/\{\w+\}/, '[^/]+')}$`),
}));
const SYSTEM = /^\/(?:$|docs$|healthz$|readyz$|openapi\.json$|metrics$|assets\/)/;
/** Answers of the service as a whole, which the document describes once and not at every operation. */
const ANYWHERE = new Set<ErrorCode>(['not_found', 'method_not_allowed', 'bad_request', 'unauthorized']);

const validators = new Map<object, ValidateFunction>();
function assertValid(schema: object, body: string): void {
  let validate = validators.get(schema);
  if (!validate) {
    const absolute = JSON.stringify(schema).replaceAll('"#/components', '"openapi#/components');
    validate = ajv.compile(JSON.parse(absolute) as object);
    validators.set(schema, validate);
  }
  assert.ok(validate(JSON.parse(body)), `${ajv.errorsText(validate.errors)}: ${body.slice(0, 300)}`);
}

/** Asserts that the service may give this answer to this request; without a request, to any. */
export function checkAnswer(answer: RawAnswer, request?: FuzzRequest): void {
  const { status, headers, body } = answer;
  assert.ok((status >= 200 && status < 500) || status === 501 || status === 505, `${status} ${body}`);
  assert.match(headers['x-request-id'] ?? '', /^[\x21-\x7e]+$/);
  const operation = request && operationOf(request);
  if (status >= 400) checkError(answer, operation, request?.method === 'HEAD');
  else if (request?.method === 'HEAD' || request?.method === 'OPTIONS') assert.equal(body, '');
  else if (operation) assertDocumentedSuccess(operation, answer);
  else if (request) assert.match(pathOf(request.target), SYSTEM, `${status} for an unknown path`);
}

function checkError(answer: RawAnswer, operation: DocumentedOperation | undefined, isHead: boolean): void {
  const { status, headers, body } = answer;
  if (status === 401) assert.match(headers['www-authenticate'] ?? '', /^Bearer realm="animal-store"/);
  if (status === 405) assert.match(headers.allow ?? '', /^[A-Z]+(?:, [A-Z]+)*$/);
  if (status === 429) assert.match(headers['retry-after'] ?? '', /^\d+$/);
  if (isHead) {
    assert.equal(body, '');
    return;
  }
  const { code } = JSON.parse(body) as { code: ErrorCode };
  assert.ok(Object.hasOwn(errors, code), `unknown code ${code}`);
  assertError(answer, status, code);
  if (operation && !ANYWHERE.has(code))
    assert.ok(Object.hasOwn(operation.responses, status), `${status} ${code} is not documented`);
}

function assertDocumentedSuccess(
  { responses }: DocumentedOperation,
  { status, headers, body }: RawAnswer,
): void {
  const documented = responses[status];
  assert.ok(documented, `${status} is not documented`);
  if (documented.headers?.ETag) assert.match(headers.etag ?? '', /^"[\x21\x23-\x7e]+"$/);
  const schema = documented.content?.['application/json'].schema;
  if (!schema) {
    assert.equal(body, '', 'a body that is not documented');
    return;
  }
  assert.match(headers['content-type'] ?? '', /^application\/json(?:;|$)/);
  assertValid(schema, body);
}

function operationOf({ method, target }: FuzzRequest): DocumentedOperation | undefined {
  const path = pathOf(target);
  const name = method === 'HEAD' ? 'get' : method.toLowerCase();
  // A path such as /pets/batch matches /pets/{petId} as well; they have no method in common.
  const template = templates.find(({ template, pattern }) => paths[template]?.[name] && pattern.test(path));
  return template && paths[template.template]?.[name];
}

function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(path) || '/';
  } catch {
    return path;
  }
}
