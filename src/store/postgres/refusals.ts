import type { ApiError } from '../../contract/errors.ts';
import {
  orderClosed,
  orderNotCompleted,
  orderNotFound,
  petNotAvailable,
  petNotSold,
} from '../../contract/order.ts';
import { petHasOpenOrder, petNotFound, petNotRemoved } from '../../contract/pet.ts';
import { preconditionFailed } from '../../contract/precondition.ts';

/** What the functions of the schema refuse, by the code of the error that they raise. */
const refusals: Readonly<Record<string, () => ApiError>> = {
  AS404: petNotFound,
  AS409: petNotAvailable,
  AS410: petNotRemoved,
  AS412: preconditionFailed,
  AS423: petHasOpenOrder,
  AS440: orderNotFound,
  AS441: orderNotCompleted,
  AS442: orderClosed,
  AS443: petNotSold,
};

/** The result of a call of such a function, or the ApiError that its refusal means. */
export async function refusing<T>(call: PromiseLike<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw refusals[(error as { code: string }).code]?.() ?? error;
  }
}
