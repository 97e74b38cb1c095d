import { batchPerTick } from '../../batch-per-tick.ts';
import type { KeyVerifier } from '../../keys/verifier.ts';
import { type Log, unicodeEscape } from '../../log.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { type Answer, isStream, sizeOf } from '../answer.ts';
import { holdsValidKey } from '../request/admission.ts';
import type { HttpRequest } from '../request/request.ts';
import type { Exchange, RequestHeaders } from '../server/exchange.ts';
import type { HttpServer } from '../server/server.ts';
import type { StreamOptions } from '../server/streams.ts';

/** After this many bytes, the remaining answers of a tick are sent in the next one. */
const BYTES_PER_TICK = 4 * 1024 * 1024;

/** How many characters of an unmatched path are logged. */
const MAX_PATH = 200;
const NOT_PRINTABLE = /[^\x20-\x7e]/g;
/** Version, trace id, parent id, flags. Later versions may have more fields after these. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(-.*)?$/;

interface Finished {
  readonly exchange: Exchange;
  readonly request: HttpRequest;
  readonly answer: Answer;
}

/**
 * The last stage of every request: sends the answer, then counts the request and writes its line of the log. Answers that are
 * ready in the same tick leave together, and are logged after the last of them.
 */
export function createSender(
  server: HttpServer,
  keys: KeyVerifier,
  metrics: Metrics,
  log: Log,
): (finished: Finished) => void {
  function sendOne(finished: Finished): void {
    const { exchange, request, answer } = finished;
    try {
      const options = isStream(answer.body) ? streamOptions(finished) : undefined;
      server.send(exchange, answer, request.answerHeaders, options);
    } catch (error) {
      log.error({ requestId: request.id, err: error }, 'an answer could not be sent');
      exchange.response.destroy();
    }
  }

  /** A stream is counted when it begins and logged when it ends, at the latest when its key is no longer valid. */
  function streamOptions({ exchange, request, answer }: Finished): StreamOptions {
    return {
      isAllowed: () => holdsValidKey(keys, request),
      onClose: () => logRequest(log, request, answer.status, performance.now() - exchange.receivedAt),
    };
  }

  function finish({ exchange, request, answer }: Finished, now: number): void {
    const ms = now - exchange.receivedAt;
    countRequest(metrics, request, answer.status, ms);
    if (!isStream(answer.body)) logRequest(log, request, answer.status, ms);
  }

  return batchPerTick<Finished>((batch, postpone) => {
    let [count, bytes] = [0, 0];
    for (const finished of batch) {
      if (bytes >= BYTES_PER_TICK) break;
      bytes += sizeOf(finished.answer.body);
      count++;
      sendOne(finished);
    }
    const now = performance.now();
    for (let i = 0; i < count; i++) finish(batch[i] as Finished, now);
    if (count < batch.length) postpone(batch.slice(count));
  });
}

function countRequest({ requests }: Metrics, request: HttpRequest, status: number, ms: number): void {
  const { method, route, endpoint, key, refusal } = request;
  requests.finished(method, route.template, status, ms / 1000);
  if (refusal !== undefined) requests.keyRefused(refusal.refused);
  else if (endpoint.operation?.deprecated && key !== undefined)
    requests.deprecatedCall(endpoint.operation.id, key.id);
}

/**
 * Writes the log line of a request when it is answered. The line never has the key, the body, or any text of the client except
 * its request id and a path that does not exist. A successful health check has no line. The JSON is built by hand, at a tenth of
 * the cost of a general logger: only the path needs escaping, because the other texts cannot contain a character that does.
 */
export function logRequest(log: Log, request: HttpRequest, status: number, ms: number): void {
  if (!log.enabled('info')) return;
  const { id, method, endpoint, key, refusal, targetKeyId, address, headers } = request;
  if (endpoint.isHealthCheck && status < 300) return;
  log.write(
    `{"level":30,"time":"${isoTime()}","requestId":"${id}"${field('operation', endpoint.operation?.id)},"method":"${method}"${pathField(request, log.mask)},"status":${status},"ms":${Math.round(ms * 1000) / 1000}${field('keyId', key?.id ?? refusal?.keyId)}${field('targetKeyId', targetKeyId)}${field('refusal', refusal?.refused)},"address":"${address}"${field('traceId', traceId(headers))},"msg":"request"}\n`,
  );
}

const field = (name: string, value: string | undefined): string =>
  value === undefined ? '' : `,"${name}":"${value}"`;

/** The path of a request that matches nothing, in printable ASCII. A key that was sent in the wrong place is left out. */
function pathField({ route, path }: HttpRequest, mask: Log['mask']): string {
  if (route.endpoints) return '';
  const shown = mask(path).slice(0, MAX_PATH);
  const json = JSON.stringify(shown).replace(NOT_PRINTABLE, unicodeEscape);
  return `,"path":${json}`;
}

/** The trace id of a valid `traceparent` header (W3C Trace Context), so that the log can be joined with traces. */
function traceId(headers: RequestHeaders): string | undefined {
  const sent = headers.first('traceparent');
  if (sent === undefined || headers.all('traceparent').length > 1) return undefined;
  const [, version, id, more] = TRACEPARENT.exec(sent) ?? [];
  return version === '00' && more !== undefined ? undefined : id;
}

/** The second for which `prefix` was formatted. */
let second = Number.NaN;
let prefix = '';

/** The time in ISO 8601. Formatting a Date is slow, so it is done once per second. */
function isoTime(): string {
  const now = Date.now();
  const ms = now % 1000;
  if (now - ms !== second) {
    second = now - ms;
    prefix = new Date(second).toISOString().slice(0, -4);
  }
  return `${prefix}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`;
}
