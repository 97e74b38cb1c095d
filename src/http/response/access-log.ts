import type { Log } from '../../log.ts';
import type { HttpRequest } from '../request/request.ts';
import { traceId } from '../request/trace-id.ts';

/** Characters of an unmatched path that are logged. */
const MAX_PATH = 200;
const NOT_PRINTABLE = /[^\x20-\x7e]/g;
const API_KEY = /anst_\w*/g;

/**
 * Writes the one line of a request, when it is answered: never the key, the body, or a text of the client's but its
 * request id and a path that does not exist. A successful health check has no line. Written by hand, at a tenth of the
 * price of a general logger: only the path needs escaping, the other texts cannot contain a character that does.
 */
export function logRequest(log: Log, request: HttpRequest, status: number, ms: number): void {
  if (!log.enabled('info')) return;
  const { id, method, endpoint, keyId, refusal, address, headers } = request;
  if (endpoint?.isHealthCheck && status < 300) return;
  log.write(
    `{"level":30,"time":"${isoTime()}","requestId":"${id}"${field('operation', endpoint?.operation?.id)},"method":"${method}"${pathField(request)},"status":${status},"ms":${Math.round(ms * 1000) / 1000}${field('keyId', keyId)}${field('refusal', refusal)},"address":"${address}"${field('traceId', traceId(headers))},"msg":"request"}\n`,
  );
}

const field = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`;

/** The path of a request that matches nothing, in printable ASCII. A key that was sent in the wrong place is left out. */
function pathField({ route, path }: HttpRequest): string {
  if (route.endpoints) return '';
  const shown = path.replace(API_KEY, 'anst_…').slice(0, MAX_PATH);
  const json = JSON.stringify(shown).replace(
    NOT_PRINTABLE,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `,"path":${json}`;
}

/** The second that `prefix` is the time of, up to its milliseconds. */
let second = Number.NaN;
let prefix = '';

/** The time in ISO 8601. A Date formats itself at several times the price, so that is left to one a second. */
function isoTime(): string {
  const now = Date.now();
  const ms = now % 1000;
  if (now - ms !== second) {
    second = now - ms;
    prefix = new Date(second).toISOString().slice(0, -4);
  }
  return `${prefix}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}
