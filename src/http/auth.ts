import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import type { KeyRing } from '../keys/ring.ts';
import { valuesOf } from './headers.ts';

const CHALLENGE = 'Bearer realm="animal-store"';
const BEARER = /^bearer +(?:([\x21-\x7e]+)|.+)$/i;

/** An onRequest hook: lets a request pass that carries a valid API key, and any OPTIONS (a preflight has no key). */
export function requireKey(keys: KeyRing) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (request.method === 'OPTIONS') return;
    const sent = valuesOf(request.raw, 'authorization');
    const bearers = sent.map((value) => BEARER.exec(value));
    const key = bearers.length === 1 ? bearers[0]?.[1] : undefined;
    if (key === undefined) {
      request.refusal = sent.length === 0 ? 'missing' : 'malformed';
    } else {
      const verdict = keys.verify(key);
      request.keyId = verdict.keyId;
      if (verdict.refused === undefined) return;
      request.refusal = verdict.refused;
    }
    const keySent = bearers.some((bearer) => bearer !== null);
    reply.header('www-authenticate', keySent ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE);
    throw new ApiError(
      'unauthorized',
      'The API key is missing or invalid. Send it as: Authorization: Bearer <API_KEY>',
    );
  };
}
