import { KeepAliveClient } from '../../test/support/wire/keep-alive.ts';
import { KEY } from '../workloads/calls.ts';

const TIMEOUT_MS = 30_000;

export interface TimedWrite {
  readonly ms: number;
  /** Why it was not done: undefined if it was. */
  readonly failure?: string;
}

export type Send = (method: string, path: string, body?: unknown) => Promise<TimedWrite>;

/** Calls `send` with a client that has a connection of its own, and closes it afterwards. */
export async function withClient<T>(port: number, work: (send: Send) => Promise<T>): Promise<T> {
  const client = new KeepAliveClient(port);
  try {
    return await work((method, path, body) => timed(client, method, path, body));
  } finally {
    client.close();
  }
}

async function timed(
  client: KeepAliveClient,
  method: string,
  path: string,
  body: unknown,
): Promise<TimedWrite> {
  const startedAt = performance.now();
  const text = body === undefined ? undefined : JSON.stringify(body);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const failure = await new Promise<string | undefined>((resolve) => {
    timeout.addEventListener('abort', () => resolve(`no answer within ${TIMEOUT_MS / 1000} s`));
    client.send(method, path, { authorization: `Bearer ${KEY}` }, text).then(
      (reply) => resolve(reply.status < 300 ? undefined : reasonOf(reply.status, reply.body)),
      (error: Error) => resolve(error.message),
    );
  });
  const ms = performance.now() - startedAt;
  return failure === undefined ? { ms } : { ms, failure };
}

/** What matters most of a refusal is whether the client knows what has become of its write. */
function reasonOf(status: number, body: string): string {
  const outcome = /nothing was written|not known/.exec(body)?.[0];
  return `${status} ${outcome ?? /"message":"([^"]*)"/.exec(body)?.[1] ?? body}`;
}

/** One line: how many there were, how many failed and why, and how long they took. */
export function summary(writes: readonly TimedWrite[]): string {
  const sorted = writes.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) =>
    `${Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)}`;
  const failed = writes.filter(({ failure }) => failure !== undefined);
  const reasons = [...Map.groupBy(failed, ({ failure }) => failure)].map(
    ([reason, same]) => `${same.length} × ${reason}`,
  );
  const why = reasons.length > 0 ? ` (${reasons.join(', ')})` : '';
  return `${failed.length} of ${writes.length} failed${why}; p50 ${at(0.5)}, p95 ${at(0.95)}, slowest ${at(1)} ms`;
}
