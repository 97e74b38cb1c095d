/** A response as plain values. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** From so many characters or bytes on, a body is large. */
export const LARGE_BODY = 32 * 1024;

/**
 * A response whose body is already JSON. Large text is encoded here, once for all requests that share the answer: Node would
 * copy it twice for each of them, and keep a copy for each client that does not read.
 */
export function jsonAnswer(status: number, json: Answer['body'], ...headers: string[]): Answer {
  const body = typeof json === 'string' && json.length >= LARGE_BODY ? Buffer.from(json) : json;
  return { status, headers: ['content-type', JSON_TYPE, ...headers], body };
}
