import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import type { KeyRing } from '../keys/ring.ts';
import { valuesOf } from './headers.ts';

const CHALLENGE = 'Bearer realm="animal-store"';
const BEARER = /^bearer +(?:([\x21-\x7e]+)|.+)$/i;

/** The key in an Authorization header; undefined when it is not just one bearer token. */
export function bearerKey(authorization: string): string | undefined {
  return BEARER.exec(authorization)?.[1];
}

/** An onRequest hook: lets a request pass that carries a valid API key, and any OPTIONS (a preflight has no key). */
export function requireKey(keys: KeyRing) {
  return (request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void => {
    if (request.method !== 'OPTIONS') identify(keys, request, reply);
    done();
  };
}

function identify(keys: KeyRing, request: FastifyRequest, reply: FastifyReply): void {
  const sent = valuesOf(request.raw, 'authorization');
  const key = sent.length === 1 ? bearerKey(sent[0] as string) : undefined;
  if (key === undefined) {
    request.refusal = sent.length === 0 ? 'missing' : 'malformed';
  } else {
    const { keyId, refused } = keys.verify(key);
    request.keyId = keyId;
    if (refused === undefined) return;
    request.refusal = refused;
  }
  const keySent = sent.some((value) => BEARER.test(value));
  reply.header('www-authenticate', keySent ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE);
  throw new ApiError(
    'unauthorized',
    'The API key is missing or invalid. Send it as: Authorization: Bearer <API_KEY>',
  );
}
