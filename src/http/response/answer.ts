/** A response as plain values. */
export interface Answer {
  readonly status: number;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A response whose body is already JSON text. */
export function jsonAnswer(status: number, body: string, ...headers: string[]): Answer {
  return { status, headers: ['content-type', JSON_TYPE, ...headers], body };
}
