import { type ApiError, errorJson, toApiError } from '../../contract/errors.ts';
import { atMostEvery, type Log } from '../../log.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { hasKey } from '../request/admission.ts';
import type { HttpRequest } from '../request/request.ts';

const RETRY_AFTER_SECONDS = '1';
const CHALLENGE = 'Bearer realm="animal-store"';
/** An outage is logged this often, not once for every request that it refuses. */
const OUTAGE_LOG_MS = 1000;

/** The only place where an error becomes a response. An internal error is logged with its stack. */
export class ErrorAnswers {
  readonly #log: Log;
  readonly #onError: (reason: string) => void;
  readonly #mayLogOutage = atMostEvery(OUTAGE_LOG_MS);
  #notLogged = 0;

  /** `onError` receives the reason of every error. */
  constructor(log: Log, onError: (reason: string) => void) {
    this.#log = log;
    this.#onError = onError;
  }

  answer(thrown: unknown, request: HttpRequest): Answer {
    const error = toApiError(thrown);
    const { id: requestId } = request;
    this.#onError(error.reason);
    request.refusal = error.details.refusal;
    if (error.code === 'unavailable') this.#logOutage(error, requestId);
    else if (error.code === 'internal_error') {
      this.#log.error({ requestId, err: error.cause, code: error.code }, error.message);
    }
    return jsonAnswer(error.status, errorJson(error), ...headersOf(error, request));
  }

  #logOutage({ code, message, cause }: ApiError, requestId: string): void {
    if (!this.#mayLogOutage()) return void this.#notLogged++;
    const more = this.#notLogged > 0 && { notLogged: this.#notLogged };
    this.#log.error({ requestId, code, ...more, ...(cause !== undefined && { err: cause }) }, message);
    this.#notLogged = 0;
  }
}

/** The headers that an error has by its code. A refused key gets the challenge of RFC 6750. */
function headersOf({ code, details }: ApiError, request: HttpRequest): string[] {
  if (code === 'unavailable') return ['retry-after', RETRY_AFTER_SECONDS];
  if (code === 'unauthorized')
    return ['www-authenticate', hasKey(request) ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE];
  if (code === 'insufficient_scope') {
    const scopes = details.missingScopes ?? [];
    const needed = scopes.length > 0 ? `, scope="${scopes.join(' ')}"` : '';
    return ['www-authenticate', `${CHALLENGE}, error="insufficient_scope"${needed}`];
  }
  return [];
}
