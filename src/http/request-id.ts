import { randomUUID } from 'node:crypto';

const SANE = /^[\w.:@+/=-]{1,128}$/;

/** The client's own X-Request-Id when it is safe to log and send back, else a new one. */
export function requestId(given?: string | string[]): string {
  return typeof given === 'string' && SANE.test(given) ? given : randomUUID();
}
