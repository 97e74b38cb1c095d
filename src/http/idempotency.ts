import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError } from '../contract/errors.ts';
import type { Once } from '../store/store.ts';
import { valuesOf } from './headers.ts';

const BARE = /^[\x21\x23-\x7e][\x21-\x7e]{0,254}$/;
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;

/** The request's Idempotency-Key, bound to the caller, the operation and the meaning of the body. */
export function onceOf(request: FastifyRequest, body: unknown): Once | undefined {
  const sent = valuesOf(request.raw, 'idempotency-key');
  if (sent.length === 0) return undefined;
  const key = sent.length === 1 ? keyOf(sent[0] as string) : undefined;
  if (key === undefined) {
    throw new ApiError(
      'invalid_parameter',
      'Idempotency-Key must be given once, with 1 to 255 visible characters, bare or in double quotes.',
    );
  }
  return {
    owner: request.keyId ?? '',
    key,
    fingerprint: fingerprint(request.routeOptions.config.operation?.id, body),
  };
}

function keyOf(sent: string): string | undefined {
  if (BARE.test(sent)) return sent;
  return QUOTED.exec(sent)?.[1]?.replaceAll(/\\(.)/g, '$1');
}

/** Of the accepted values, so that another spelling of the same body (order, white space, 1.0) is the same request. */
function fingerprint(operation: string | undefined, body: unknown): string {
  const text = JSON.stringify([operation, body], (_key, value) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return hash('sha256', text, 'base64url');
}
