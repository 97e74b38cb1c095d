import type { Call } from './call.ts';
import { AnimalStoreError } from './errors.ts';
import { mayHaveTakenEffect } from './retry.ts';
import type { Answer, Outgoing, Transport } from './transport.ts';
import type { CallOptions } from './types.ts';

/** Refusals that depend on the state of the store: an earlier attempt of the same call can be their cause. */
const REFUSALS = [404, 409, 412];

/** The key of the client is refused. An earlier attempt of the same call can be the cause: it may have revoked or narrowed that very key. */
const KEY_REFUSALS = [401, 403];

/** An attempt whose outcome is unknown, and the refusal of the one after it. */
interface Doubt {
  readonly call: Call;
  readonly refusal: AnimalStoreError;
  readonly failure: AnimalStoreError;
}

/**
 * Sends a change that has no Idempotency-Key. When an attempt took effect but its response was lost, the next one may be refused
 * for that reason. Only then `settle` decides; by default the call rejects with the failure that left the outcome unknown, so that a
 * refusal always means that nothing was changed.
 */
export function change<T>(
  transport: Transport,
  outgoing: Outgoing,
  options: CallOptions,
  read: (answer: Answer) => T,
  settle: (doubt: Doubt) => Promise<T> | T = ({ failure }) => {
    throw failure;
  },
): Promise<T> {
  return transport.run(options, async (call) => {
    try {
      return read(await transport.send(call, outgoing));
    } catch (error) {
      const failure = call.failures.find(mayHaveTakenEffect);
      if (!failure || !(error instanceof AnimalStoreError)) throw error;
      if (KEY_REFUSALS.includes(error.status)) throw failure;
      if (!REFUSALS.includes(error.status)) throw error;
      return settle({ call, refusal: error, failure });
    }
  });
}
