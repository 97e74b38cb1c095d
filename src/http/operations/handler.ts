import type { ApiError } from '../../contract/errors.ts';
import { int64FromText } from '../../contract/int64.ts';
import type { Operation } from '../../contract/operation.ts';
import type { operations } from '../../contract/operations/all.ts';
import type { Answer } from '../answer.ts';
import type { Call } from '../request/request.ts';

/** What serves one operation. */
export type Handler<O extends Operation> = (call: Call<O>) => Promise<Answer>;
/** What serves each operation of the contract. */
export type Handlers = {
  readonly [Id in keyof typeof operations]: Handler<(typeof operations)[Id]>;
};

/** The identifier that a path names. Text that is no identifier names nothing. */
export function idIn(parameter: string, notFound: () => ApiError): bigint {
  const id = int64FromText(parameter);
  if (id === undefined) throw notFound();
  return id;
}
