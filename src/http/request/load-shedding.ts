import { ApiError } from '../../contract/errors.ts';
import { limits } from '../../contract/limits.ts';
import type { EventLoop } from '../../metrics/process-metrics.ts';
import type { HttpRequest } from './request.ts';

/** Every client waits for up to two iterations of the event loop. */
const LIMIT_MS = limits.eventLoopMs;
/** This many requests are always accepted: they take far less time than the limit, so a longer iteration has another cause. */
const ALWAYS_ACCEPTED = 400;

/** An error of its own, so that metrics count these refusals separately. */
class Overloaded extends ApiError {
  override get reason(): string {
    return 'overloaded';
  }
}

/** One for all: the stack of an error costs as much as the rest of a refusal. */
export const OVERLOADED = new Overloaded('unavailable', 'The service is overloaded. Try again in a moment.');

/**
 * Refuses requests for operations with 503 while the event loop cannot keep up, so that the accepted ones are answered in
 * bounded time. Health checks and metrics always pass.
 *
 * If an iteration was too long, the next one accepts as many requests as would have fitted, but refuses no more than every
 * third one: a refusal is not free either, and most of the CPU must go to requests that succeed, even if clients ignore
 * `Retry-After`. With shorter iterations everything is accepted again.
 */
export function shedLoad(eventLoop: EventLoop): (request: HttpRequest) => void {
  let accepted = 0;
  let refused = 0;
  let budget = Number.POSITIVE_INFINITY;
  eventLoop.onSample((ms) => {
    if (ms > LIMIT_MS)
      budget = Math.max(ALWAYS_ACCEPTED, ((accepted + refused) * 2) / 3, (accepted * LIMIT_MS) / ms);
    else if (ms < LIMIT_MS / 2) budget = Number.POSITIVE_INFINITY;
    accepted = 0;
    refused = 0;
  });

  return ({ endpoint }) => {
    if (accepted < budget) accepted++;
    else if (endpoint.operation) {
      refused++;
      throw OVERLOADED;
    }
  };
}
