import { batchPerTick } from '../../batch-per-tick.ts';
import type { KeyVerifier } from '../../keys/verifier.ts';
import type { Log } from '../../log.ts';
import type { Metrics } from '../../metrics/metrics.ts';
import { type Answer, isStream, sizeOf } from '../answer.ts';
import { holdsValidKey } from '../request/access.ts';
import type { HttpRequest } from '../request/request.ts';
import type { Exchange } from '../server/exchange.ts';
import type { HttpServer } from '../server/server.ts';
import type { StreamOptions } from '../server/streams.ts';
import { logRequest } from './access-log.ts';

/** After so many bytes, the other answers of a tick leave in the next one. */
const BYTES_PER_TICK = 4 * 1024 * 1024;

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
