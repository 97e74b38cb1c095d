import type { LogLine, Observed, ObservedAnswer } from './observe.ts';
import type { Sent } from './wire/odd-requests.ts';

/** The part of a response that is guaranteed. */
export interface ComparableAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  /** The body; for an error its `code` and `status`, because the wording of `message` may change. */
  readonly body: unknown;
}

export interface Comparable {
  readonly answers: readonly ComparableAnswer[];
  readonly log: readonly LogLine[];
}

export function comparable({ answers, log }: Observed, request: Sent): Comparable {
  return { answers: answers.map((answer) => comparableAnswer(answer, request)), log };
}

/** The target of the request line, which may contain anything except a space. */
const targetOf = ({ head }: Sent): string => head.split(' ')[1] ?? '';

function comparableAnswer({ status, headers, body }: ObservedAnswer, request: Sent): ComparableAnswer {
  const code = Number(status.split(' ')[1]);
  const target = targetOf(request);
  return {
    status: code,
    headers: headers
      .filter((line) => code < 400 || !line.startsWith('content-length:'))
      // An answer closes the connection if it is sent before the rest of its request has arrived, which depends on timing here.
      .filter((line) => !request.apart || !line.startsWith('connection:'))
      .map((line) => (line.startsWith('link:') ? withResolvedReferences(line, target) : line)),
    body: code < 400 || body === '' ? body : errorIn(body),
  };
}

function errorIn(body: string): unknown {
  const { message, ...rest } = JSON.parse(body) as Record<string, unknown>;
  return { ...rest, message: typeof message };
}

/** A Link header with its references resolved, whether they are absolute or relative to the request. */
function withResolvedReferences(line: string, target: string): string {
  return line.replaceAll(/<([^>]*)>/g, (_all, reference: string) => {
    const { pathname, search } = new URL(reference, new URL(target, 'http://animal.store'));
    return `<${decodeURI(pathname)}${search}>`;
  });
}
