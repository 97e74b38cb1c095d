import assert from 'node:assert/strict';
import type { RawAnswer } from '../support/wire/socket.ts';
import { checkAnswer } from './check.ts';
import { send } from './client.ts';
import { type Session, sessions } from './sessions.ts';

const CONNECTIONS = 16;

interface FuzzOptions {
  readonly seed: number;
  readonly requests: number;
  /** Sends only the session with this number. */
  readonly only?: number | undefined;
  readonly onProgress?: (requests: number) => void;
}

interface FuzzReport {
  /** Those that were answered; damaged bytes without an answer count as one. */
  readonly requests: number;
  readonly sessions: number;
  readonly byStatus: ReadonlyMap<number, number>;
  /** The first failures, each with the number and the bytes of its session. */
  readonly failures: readonly string[];
}

const MAX_FAILURES = 5;

/** Sends at least so many requests to the service at `port` and checks every response. */
export async function fuzz(port: number, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, requests, only, onProgress } = options;
  const byStatus = new Map<number, number>();
  const failures: string[] = [];
  const source = sessions(seed);
  let sent = 0;
  let count = 0;

  async function sendSessions(): Promise<void> {
    while (sent < requests && failures.length < MAX_FAILURES && !(only !== undefined && count > only)) {
      const number = count++;
      const session = source.next().value as Session;
      if (only !== undefined && number !== only) continue;
      try {
        const { answers, reset } = await send(port, session);
        sent += Math.max(1, answers.length);
        for (const { status } of answers) byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
        checkSession(session, answers, reset);
      } catch (error) {
        failures.push(describe(number, session, error as Error));
      }
      onProgress?.(sent);
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, sendSessions));
  return { requests: sent, sessions: count, byStatus, failures };
}

/** Every request is answered, in order, up to the one whose answer closes the connection. */
function checkSession({ requests }: Session, answers: readonly RawAnswer[], reset: boolean): void {
  for (const [n, answer] of answers.entries()) checkAnswer(answer, requests?.[n]);
  if (!requests || answers.length === requests.length) return;
  if (reset && requests.some(({ closes }) => closes)) return;
  if (requests[answers.length - 1]?.endsMalformed) return;
  assert.equal(
    answers.at(-1)?.headers.connection,
    'close',
    `${answers.length} responses to ${requests.length} requests${reset ? ', and a reset' : ''}`,
  );
}

function describe(number: number, { parts }: Session, error: Error): string {
  const bytes = parts
    .flat()
    .map((packet) => JSON.stringify(packet.toString('latin1').slice(0, 3000)))
    .join(',\n  ');
  return `session ${number}: ${error.message}\n  ${bytes}`;
}
