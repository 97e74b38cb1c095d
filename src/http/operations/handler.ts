import type { ApiError } from '../../contract/errors.ts';
import type { Author } from '../../contract/event.ts';
import { int64FromText } from '../../contract/int64.ts';
import type { Operation } from '../../contract/operation.ts';
import type { operations } from '../../contract/operations/all.ts';
import type { AuthenticatedKey } from '../../keys/authenticated-key.ts';
import type { Created } from '../../store/store.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import type { Call, HttpRequest } from '../request/request.ts';

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

const authors = new WeakMap<AuthenticatedKey, Author>();

/**
 * Who makes a change: the key of the request. One object per key, because the writes of a batch go to another thread together, where
 * an object that occurs again costs next to nothing.
 */
export function authorOf({ key }: HttpRequest): Author | undefined {
  if (!key) return undefined;
  const author = authors.get(key) ?? { keyId: key.id, keyName: key.name };
  authors.set(key, author);
  return author;
}

/** The answer to a create, which says when the resource was created before. */
export function createdAnswer({ json, replayed }: Created, ...headers: string[]): Answer {
  return jsonAnswer(201, json, ...headers, ...(replayed ? ['idempotent-replayed', 'true'] : []));
}

/** The answer to a removal. */
export const noContent = (): Answer => ({ status: 204, headers: [], body: '' });
