import { ApiError } from '../../contract/errors.ts';
import { keyNotValid } from '../../contract/key.ts';
import { BASE_PATH } from '../../contract/operation.ts';
import type { Scope } from '../../contract/scope.ts';
import type { KeyVerifier } from '../../keys/verifier.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { HttpRequest } from './request.ts';

const CHALLENGE = 'Bearer realm="animal-store"';
const BEARER = /^bearer +([^ ].*)$/is;
const KEY = /^[\x21-\x7e]+$/;

/**
 * Below the version prefix, and for endpoints that need a key, refuses every request without a valid API key before any
 * other check. OPTIONS needs none, because a browser's preflight request cannot send one. Too many wrong keys
 * from one address get 429 instead of 401; a valid key always passes.
 */
export function authenticate(keys: KeyVerifier, limitFailures: RateLimiter, request: HttpRequest): void {
  const { path, endpoint, method } = request;
  const needsKey = inApi(path) || (endpoint && endpoint.access !== 'public');
  if (!needsKey || method === 'OPTIONS') return;
  const sent = request.headers.all('authorization');
  const text = keyIn(sent);
  if (text === undefined || !KEY.test(text)) {
    request.refusal = { refused: sent.length === 0 ? 'missing' : 'malformed' };
  } else {
    const verdict = keys.verify(text);
    if (verdict.refused === undefined) {
      request.key = verdict.key;
      request.received.keyId = verdict.key.id;
      return;
    }
    request.refusal = verdict;
  }
  // A request without a key guesses nothing.
  if (request.refusal.refused !== 'missing') limitFailures(request);
  throw unauthorized(request);
}

/** The error for a request without a valid key, whose response has the challenge of RFC 6750. */
export function unauthorized({ headers, answerHeaders }: HttpRequest): ApiError {
  const keySent = headers.all('authorization').some((value) => BEARER.test(value));
  answerHeaders.push('www-authenticate', keySent ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE);
  return keyNotValid();
}

/** Whether the key that the request was accepted with is still valid. */
export function holdsValidKey(keys: KeyVerifier, { headers }: HttpRequest): boolean {
  const key = keyIn(headers.all('authorization'));
  return key !== undefined && keys.verify(key).refused === undefined;
}

const keyIn = (sent: readonly string[]): string | undefined =>
  sent.length === 1 ? BEARER.exec(sent[0] as string)?.[1] : undefined;

const inApi = (path: string): boolean => path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);

/** Refuses a request whose API key lacks the scope of what it is for. What does not exist needs no scope. */
export function authorize(request: HttpRequest): void {
  const { key, endpoint } = request;
  if (!endpoint) return;
  const { access } = endpoint;
  if (access === 'any' || access === 'public' || key?.permissions.has(access)) return;
  throw insufficientScope(request, [access], `This API key lacks the scope ${access}.`);
}

/** The error for a key without these scopes, whose response has the challenge of RFC 6750. */
export function insufficientScope(
  { answerHeaders }: HttpRequest,
  missing: readonly Scope[],
  message: string,
): ApiError {
  answerHeaders.push(
    'www-authenticate',
    `${CHALLENGE}, error="insufficient_scope", scope="${missing.join(' ')}"`,
  );
  return new ApiError('insufficient_scope', message);
}
