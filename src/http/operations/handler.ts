import type { ApiError } from '../../contract/errors.ts';
import { int64FromText } from '../../contract/int64.ts';
import type { Operation } from '../../contract/operation.ts';
import type { operations } from '../../contract/operations/all.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../request/request.ts';

export type Handler<O extends Operation> = (call: Call<O>) => Promise<Answer>;
export type Handlers = {
  readonly [Id in keyof typeof operations]: Handler<(typeof operations)[Id]>;
};

/** The identifier in a path. For text that is not an identifier, there is no item. */
export function idIn(parameter: string, notFound: () => ApiError): bigint {
  const id = int64FromText(parameter);
  if (id === undefined) throw notFound();
  return id;
}
