import { insufficientScope, keyNotValid } from '../../contract/key.ts';
import type { AuthenticatedKey } from '../../keys/authenticated-key.ts';
import type { KeyVerifier, Verdict } from '../../keys/verifier.ts';
import type { Endpoint, HttpRequest } from './request.ts';

const BEARER = /^bearer +([^ ].*)$/is;
const KEY = /^[\x21-\x7e]+$/;
const MALFORMED = { refused: 'malformed' } as const;

/**
 * Refuses every request without a valid API key before any other check, unless what it is for needs none. OPTIONS needs no key, because a
 * browser's preflight request cannot send one. The result is a promise only if the store has to be asked: an unknown key may be new, and a
 * known one revoked if the keys were read too long ago.
 */
export function authenticate(keys: KeyVerifier, request: HttpRequest): undefined | Promise<undefined> {
  if (request.endpoint.access === 'public' || request.method === 'OPTIONS') return undefined;
  const sent = request.headers.all('authorization');
  if (sent.length === 0) throw keyNotValid({ refused: 'missing' });
  const text = keyIn(sent);
  const verdict = text !== undefined && KEY.test(text) ? keys.verify(text) : MALFORMED;
  if (text === undefined || isCertain(verdict, request.endpoint)) return accept(request, verdict);
  return keys.verifyAgain(text).then((verdict) => accept(request, verdict));
}

function accept(request: HttpRequest, verdict: Verdict | typeof MALFORMED): undefined {
  if (verdict.refused !== undefined) throw keyNotValid(verdict);
  request.key = verdict.key;
}

/** The metrics need no store, and must be readable while it is down. */
const isCertain = (verdict: Verdict | typeof MALFORMED, { access }: Endpoint): boolean =>
  verdict.refused === undefined
    ? !verdict.isOutdated || access === 'metrics:read'
    : verdict.refused !== 'unknown';

/** Whether the key that the request was accepted with is still valid, and still has the scope. */
export function holdsValidKey(keys: KeyVerifier, { headers, endpoint }: HttpRequest): boolean {
  const text = keyIn(headers.all('authorization'));
  const verdict = text === undefined ? MALFORMED : keys.verify(text);
  return verdict.refused === undefined && hasScope(verdict.key, endpoint);
}

const hasScope = ({ permissions }: AuthenticatedKey, { access }: Endpoint): boolean =>
  access === 'any' || access === 'public' || permissions.has(access);

/** Whether the request has a bearer token, valid or not. */
export const hasKey = ({ headers }: HttpRequest): boolean =>
  headers.all('authorization').some((value) => BEARER.test(value));

const keyIn = (sent: readonly string[]): string | undefined =>
  sent.length === 1 ? BEARER.exec(sent[0] as string)?.[1] : undefined;

/** Refuses a request whose API key lacks the scope of what it is for. What does not exist needs no scope. */
export function authorize({ key, endpoint }: HttpRequest): void {
  const { access } = endpoint;
  if (access === 'any' || access === 'public' || (key && hasScope(key, endpoint))) return;
  throw insufficientScope([access], `This API key lacks the scope ${access}.`);
}
