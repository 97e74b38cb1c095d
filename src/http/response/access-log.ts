import type { Log } from '../../log.ts';
import type { HttpRequest } from '../request/request.ts';

/**
 * Writes the one line of a request, when it is answered: never the key, the body, or a text of the client's but its
 * request id. Written by hand, at a tenth of the price of a general logger: no text in it needs escaping.
 */
export function logRequest(log: Log, request: HttpRequest, status: number, ms: number): void {
  if (!log.enabled('info')) return;
  const { id, method, endpoint, keyId, refusal } = request;
  log.write(
    `{"level":30,"time":"${isoTime()}","requestId":"${id}"${field('operation', endpoint?.operation?.id)},"method":"${method}","status":${status},"ms":${Math.round(ms * 1000) / 1000}${field('keyId', keyId)}${field('refusal', refusal)},"msg":"request"}\n`,
  );
}

const field = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`;

let iso = '';
let isoAt = 0;

/** The time, formatted once a millisecond. */
function isoTime(): string {
  const now = Date.now();
  if (now !== isoAt) iso = new Date(now).toISOString();
  isoAt = now;
  return iso;
}
