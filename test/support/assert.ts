import assert from 'node:assert/strict';
import { ApiError, type ErrorCode, errors } from '../../src/contract/errors.ts';
import type { Answer } from './service/service.ts';
import type { RawAnswer } from './wire/socket.ts';

interface ErrorText {
  readonly code: string;
  readonly message: string;
  readonly status: number;
}

/**
 * Asserts that a response is an error in its only format: exactly `code`, `message` and `status`, as application/json,
 * with the status repeated and a request id. Returns the message.
 */
export function assertError(answer: Answer | RawAnswer, status: number, code: ErrorCode): string {
  const text = 'text' in answer ? answer.text : answer.body;
  assert.equal(answer.status, status, text);
  assert.match(header(answer, 'content-type') ?? '', /^application\/json(?:;|$)/);
  assert.match(header(answer, 'x-request-id') ?? '', /^\S+$/);
  const body = JSON.parse(text) as ErrorText;
  assert.deepEqual(Object.keys(body), ['code', 'message', 'status']);
  assert.equal(body.code, code);
  assert.equal(body.status, status);
  const statuses = code === 'bad_request' ? [400, 417, 501, 505] : [errors[code].status];
  assert.ok(
    statuses.some((own) => own === status),
    `${code} belongs to another status`,
  );
  assert.ok(typeof body.message === 'string' && body.message.trim() !== '', 'the message is empty');
  return body.message;
}

/** A header of a response received with fetch or on a socket; undefined if it was not sent. */
export function header({ headers }: Answer | RawAnswer, name: string): string | undefined {
  return headers instanceof Headers
    ? (headers.get(name) ?? undefined)
    : (headers as RawAnswer['headers'])[name];
}

/** Checks that a call of the store is refused with this error. */
export const rejects = (work: Promise<unknown>, code: ErrorCode): Promise<void> =>
  assert.rejects(work, (error) => error instanceof ApiError && error.code === code);
