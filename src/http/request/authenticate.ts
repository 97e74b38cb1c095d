import { ApiError } from '../../contract/errors.ts';
import { BASE_PATH } from '../../contract/operation.ts';
import type { KeyRing } from '../../keys/ring.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { HttpRequest } from './request.ts';

const CHALLENGE = 'Bearer realm="animal-store"';
const BEARER = /^bearer +(?:([\x21-\x7e]+)|.+)$/i;

/**
 * Below the version prefix, and for endpoints that need a key, refuses every request without a valid API key before any
 * other check. OPTIONS needs none, because a browser's preflight request cannot send one. Too many wrong keys
 * from one address get 429 instead of 401; a valid key always passes.
 */
export function authenticate(keys: KeyRing, limitFailures: RateLimiter, request: HttpRequest): void {
  if (!(inApi(request.path) || request.endpoint?.needsKey) || request.method === 'OPTIONS') return;
  const sent = request.headers.all('authorization');
  const key = sent.length === 1 ? BEARER.exec(sent[0] as string)?.[1] : undefined;
  if (key === undefined) {
    request.refusal = sent.length === 0 ? 'missing' : 'malformed';
  } else {
    const { keyId, refused } = keys.verify(key);
    request.keyId = keyId;
    if (refused === undefined) return;
    request.refusal = refused;
  }
  // A request without a key guesses nothing.
  if (request.refusal !== 'missing') limitFailures(request);
  const keySent = sent.some((value) => BEARER.test(value));
  request.answerHeaders.push('www-authenticate', keySent ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE);
  throw new ApiError(
    'unauthorized',
    'The API key is missing or invalid. Send it as: Authorization: Bearer <API_KEY>',
  );
}

const inApi = (path: string): boolean => path === BASE_PATH || path.startsWith(`${BASE_PATH}/`);
