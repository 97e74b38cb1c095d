import { ApiError } from '../../contract/errors.ts';
import type { Scope } from '../../contract/scope.ts';
import { CHALLENGE } from './authenticate.ts';
import type { HttpRequest } from './request.ts';

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
