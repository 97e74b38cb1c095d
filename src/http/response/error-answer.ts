import { type ApiError, errorJson, toApiError } from '../../contract/errors.ts';
import type { Log } from '../../log.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import type { HttpRequest } from '../request/request.ts';

const RETRY_AFTER_SECONDS = '1';
/** An outage is logged this often, not once for every request that it refuses. */
const OUTAGE_LOG_MS = 1000;

/** The only place where an error becomes a response. An internal error is logged with its stack. */
export class ErrorAnswers {
  readonly #log: Log;
  readonly #onError: (reason: string) => void;
  #outageLoggedAt = Number.NEGATIVE_INFINITY;
  #notLogged = 0;

  /** `onError` receives the reason of every error. */
  constructor(log: Log, onError: (reason: string) => void) {
    this.#log = log;
    this.#onError = onError;
  }

  answer(thrown: unknown, { id: requestId }: Pick<HttpRequest, 'id'>): Answer {
    const error = toApiError(thrown);
    this.#onError(error.reason);
    if (error.code === 'unavailable') this.#logOutage(error, requestId);
    else if (error.status >= 500) {
      this.#log.error({ requestId, err: error.cause, code: error.code }, error.message);
    }
    const retry = error.code === 'unavailable' ? ['retry-after', RETRY_AFTER_SECONDS] : [];
    return jsonAnswer(error.status, errorJson(error), ...retry);
  }

  #logOutage({ code, message, cause }: ApiError, requestId: string): void {
    const now = performance.now();
    if (now - this.#outageLoggedAt < OUTAGE_LOG_MS) {
      this.#notLogged++;
      return;
    }
    const more = this.#notLogged > 0 && { notLogged: this.#notLogged };
    this.#log.error({ requestId, code, ...more, ...(cause !== undefined && { err: cause }) }, message);
    this.#outageLoggedAt = now;
    this.#notLogged = 0;
  }
}
