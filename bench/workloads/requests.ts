import { randomId } from '../../src/client/call.ts';
import { type Call, KEY, methodOf, type TargetOf } from './calls.ts';
import { callsOf, type Workload } from './workload.ts';

/** One request as it is sent, in one packet or in two. The first is a function if it differs each time that it is sent. */
export type Packets = readonly [string | (() => string), string?];

const COMMON_HEADERS = ['Host: 127.0.0.1', `Authorization: Bearer ${KEY}`];

/** The requests of a workload, in the form in which a contender with this many animals receives them. */
export function requestsOf(workload: Workload, targetOf: TargetOf, animals = workload.animals): Packets[] {
  return callsOf(workload, animals).map((call) => packetsOf(workload, call, targetOf(call)));
}

/** A request for a target of this service that is no part of a workload. */
export function getRequest(target: string): Packets {
  return [head(`GET ${target} HTTP/1.1`, COMMON_HEADERS)];
}

function packetsOf(
  { headers = [], splitBody = false, isIdempotent = false }: Workload,
  call: Call,
  target: string,
): Packets {
  const common = [...COMMON_HEADERS, ...headers];
  const { method, body } = methodOf(call);
  const line = `${method} ${target} HTTP/1.1`;
  if (body === undefined) return [head(line, common)];
  const entity = ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`];
  if (isIdempotent)
    return [() => head(line, [...common, ...entity, `Idempotency-Key: ${randomId()}`]) + body];
  const start = head(line, [...common, ...entity]);
  return splitBody ? [start, body] : [start + body];
}

function head(requestLine: string, headers: readonly string[]): string {
  return `${[requestLine, ...headers].join('\r\n')}\r\n\r\n`;
}
