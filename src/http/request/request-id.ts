import { randomUUID } from 'node:crypto';

const SAFE = /^[\w.:@+/=-]{1,128}$/;

/** The client's own X-Request-Id when it is safe to log and to send back, else a new one. */
export function requestId(sent: readonly string[]): string {
  const [id] = sent;
  return sent.length === 1 && id !== undefined && SAFE.test(id) ? id : randomUUID();
}
