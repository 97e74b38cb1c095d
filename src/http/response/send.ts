import { batchPerTick } from '../../batch-per-tick.ts';
import { LARGE_BODY } from '../../contract/json-writer.ts';
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

/** No further large answer is sent in a tick after this many bytes. */
const LARGE_BYTES_PER_TICK = 4 * 1024 * 1024;

interface Finished {
  readonly exchange: Exchange;
  readonly request: HttpRequest;
  readonly answer: Answer;
}

interface Parts {
  readonly server: HttpServer;
  readonly keys: KeyVerifier;
  readonly metrics: Metrics;
  readonly log: Log;
}

/**
 * The last stage of every request: sends the answer, then counts the request and writes its line of the log. Answers that are
 * ready in the same tick leave together, and are logged after the last of them. Large ones leave a few per tick, so that they
 * never hold up the others.
 */
export function createSender({ server, keys, metrics, log }: Parts): (finished: Finished) => void {
  const sendSmall = batchPerTick(sendAll);
  const sendLarge = batchPerTick<Finished>(
    (batch, postpone) => {
      let [count, bytes] = [0, 0];
      for (const { answer } of batch) {
        if (bytes >= LARGE_BYTES_PER_TICK) break;
        bytes += sizeOf(answer.body);
        count++;
      }
      postpone(batch.slice(count));
      sendAll(batch.slice(0, count));
    },
    { schedule: setImmediate },
  );

  /** All heads first: the closer the writes follow one another, the fewer times the clients are woken up. */
  function sendAll(batch: readonly Finished[]): void {
    for (const { exchange, request, answer } of batch)
      guard(exchange, request, () => server.sendHead(exchange, answer, request.answerHeaders));
    for (const finished of batch) {
      const { exchange, request, answer } = finished;
      guard(exchange, request, () =>
        server.sendBody(exchange, answer, isStream(answer.body) ? streamOptions(finished) : undefined),
      );
    }
    const now = performance.now();
    for (const { exchange, request, answer } of batch) {
      const ms = now - exchange.receivedAt;
      countRequest(metrics, request, answer.status, ms);
      if (!isStream(answer.body)) logRequest(log, request, answer.status, ms);
    }
  }

  function guard(exchange: Exchange, { id }: HttpRequest, send: () => void): void {
    try {
      send();
    } catch (error) {
      log.error({ requestId: id, err: error }, 'an answer could not be sent');
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

  return (finished) =>
    sizeOf(finished.answer.body) < LARGE_BODY ? sendSmall(finished) : sendLarge(finished);
}

function countRequest({ requests }: Metrics, request: HttpRequest, status: number, ms: number): void {
  const { method, route, endpoint, key, refusal } = request;
  requests.finished(method, route.template, status, ms / 1000);
  if (refusal !== undefined) requests.keyRefused(refusal.refused);
  else if (endpoint?.operation?.deprecated && key !== undefined)
    requests.deprecatedCall(endpoint.operation.id, key.id);
}
