import { ApiError } from '../../contract/errors.ts';
import { insufficientScope, keyNotValid } from '../../contract/key.ts';
import { limits } from '../../contract/limits.ts';
import { OVERLOADED } from '../../contract/transport-errors.ts';
import type { AuthenticatedKey, KeyVerifier, Verdict } from '../../keys/verifier.ts';
import type { EventLoop } from '../../metrics/metrics.ts';
import type { Endpoint, HttpRequest } from './request.ts';

// Decides whether a request is admitted before anything else of it is read: by the load, its API key, the rate limit and the scope.

/** This many requests are always accepted: they take far less time than the limit, so a longer iteration has another cause. */
const ALWAYS_ACCEPTED = 400;

/**
 * Refuses requests for operations with 503 while the event loop cannot keep up, so that the accepted ones are answered in
 * bounded time. Health checks and metrics always pass.
 *
 * If an iteration was too long, the next one accepts as many requests as would have fitted, but refuses no more than every
 * third one: a refusal is not free either, and most of the CPU must go to requests that succeed, even if clients ignore
 * `Retry-After`. With shorter iterations everything is accepted again.
 */
export function shedLoad(eventLoop: EventLoop): (request: HttpRequest) => void {
  let accepted = 0;
  let refused = 0;
  let budget = Number.POSITIVE_INFINITY;
  eventLoop.onSample((ms) => {
    if (ms > limits.eventLoopMs)
      budget = Math.max(
        ALWAYS_ACCEPTED,
        ((accepted + refused) * 2) / 3,
        (accepted * limits.eventLoopMs) / ms,
      );
    else if (ms < limits.eventLoopMs / 2) budget = Number.POSITIVE_INFINITY;
    accepted = 0;
    refused = 0;
  });

  return ({ endpoint }) => {
    if (accepted < budget) accepted++;
    else if (endpoint.operation) {
      refused++;
      throw OVERLOADED;
    }
  };
}

const BEARER = /^bearer +([^ ].*)$/is;
const KEY = /^[\x21-\x7e]+$/;
const MALFORMED = { refused: 'malformed', isOutdated: false } as const;

/**
 * Refuses every request without a valid API key before any other check, unless its endpoint needs none. OPTIONS needs no key, because a
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
  !verdict.isOutdated || (verdict.refused === undefined && access === 'metrics:read');

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

/** Refuses a request whose API key lacks the scope of the endpoint. A path that does not exist needs no scope. */
export function authorize({ key, endpoint }: HttpRequest): void {
  const { access } = endpoint;
  if (access === 'any' || access === 'public' || (key && hasScope(key, endpoint))) return;
  throw insufficientScope([access], `This API key lacks the scope ${access}.`);
}

/**
 * The limit for each API key; undefined without one. Counts a request, adds the headers that say what is left, and refuses it with 429 when
 * nothing is. Requests without a key, such as health checks, are not counted.
 */
export function limitByKey(
  limit: { readonly quota: number; readonly seconds: number } | undefined,
): ((request: HttpRequest) => void) | undefined {
  if (!limit) return undefined;
  const { quota, seconds } = limit;
  const policy = `"default";q=${quota};w=${seconds}`;
  /** By the id of the key, in the order in which they began, and end: all are equally long. */
  const windows = new Map<string, { used: number; readonly beganAt: number }>();
  return ({ key, answerHeaders }) => {
    if (key === undefined) return;
    const now = performance.now() / 1000;
    for (const [id, { beganAt }] of windows) {
      if (now - beganAt < seconds) break;
      windows.delete(id);
    }
    const window = windows.get(key.id) ?? { used: 0, beganAt: now };
    windows.set(key.id, window);
    window.used++;
    // From 1 to `seconds`: its age is at least 0, and less than that.
    const resetSeconds = Math.ceil(seconds - (now - window.beganAt));
    const left = `"default";r=${Math.max(0, quota - window.used)};t=${resetSeconds}`;
    answerHeaders.push('ratelimit-policy', policy, 'ratelimit', left);
    if (window.used <= quota) return;
    answerHeaders.push('retry-after', `${resetSeconds}`);
    const message = `This API key may make ${quota} requests in ${seconds} seconds. Try again in ${resetSeconds} seconds.`;
    throw new ApiError('rate_limited', message);
  };
}
