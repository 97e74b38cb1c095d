import type { Operation } from '../../contract/operation.ts';
import type { operations } from '../../contract/operations.ts';
import type { Created } from '../../store/store.ts';
import type { Call } from '../request/request.ts';
import { type Answer, jsonAnswer } from '../response/answer.ts';

/** What serves one operation. */
export type Handler<O extends Operation> = (call: Call<O>) => Promise<Answer>;
/** What serves each operation of the contract. */
export type Handlers = {
  readonly [Id in keyof typeof operations]: Handler<(typeof operations)[Id]>;
};

/** The answer to a create, which says when the resource was created before. */
export function createdAnswer<T>({ value, replayed }: Created<T>, toJson: (value: T) => string): Answer {
  return jsonAnswer(201, toJson(value), ...(replayed ? ['idempotent-replayed', 'true'] : []));
}
