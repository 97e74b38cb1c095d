import { header } from '../assert.ts';
import { eventually } from '../eventually.ts';
import type { RawAnswer } from '../wire/socket.ts';
import { type Answer, call, type Service } from './service.ts';

type Line = Readonly<Record<string, unknown>>;

/** The log lines of a request. Waits for the first one, which is written after the response is sent. */
export async function linesOf(service: Service, answer: Answer | RawAnswer): Promise<Line[]> {
  const requestId = header(answer, 'x-request-id');
  const lines = () => service.log.filter((line) => line.requestId === requestId);
  await eventually(() => lines().length > 0, 'the request is logged');
  return lines();
}

/** Waits until everything about the requests answered so far has been logged. */
export async function settleLog(service: Service): Promise<void> {
  await linesOf(service, await call(service.origin, 'GET', '/openapi.json', { key: null }));
}
