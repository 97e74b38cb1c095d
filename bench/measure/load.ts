import { connect } from 'node:net';
import type { Packets } from '../workloads/requests.ts';
import { responseReader } from './response-reader.ts';

const TIMEOUT_MS = 30_000;
/** Between two packets of a request: long enough for the server to read the first one alone. */
const PACKET_INTERVAL_MS = 1;

export interface Load {
  readonly port: number;
  readonly clients: number;
  readonly seconds: number;
  /** Ends after this many requests, if that is earlier. */
  readonly count?: number;
  /** Sent in this order, each by the next idle client; repeated from the start when all are sent. */
  readonly requests: readonly Packets[];
}

export interface Sample {
  readonly seconds: number;
  /** Milliseconds from each request to the last byte of its response, in ascending order. */
  readonly latencies: Float64Array;
}

/**
 * Keeps every client busy on a keep-alive connection of its own. A client sends its next request when the response to
 * the previous one is complete; nothing is pipelined. Rejects with the first response that is not a success.
 */
export async function load({ port, clients, seconds, count = Infinity, requests }: Load): Promise<Sample> {
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  let sequence = 0;
  const next = () => requests[sequence++ % requests.length] as Packets;

  function client(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      const isComplete = responseReader();
      let sent = 0;
      const send = () => {
        sent = performance.now();
        const [first, second] = next();
        socket.write(typeof first === 'string' ? first : first(), 'latin1');
        if (second !== undefined) setTimeout(() => socket.write(second, 'latin1'), PACKET_INTERVAL_MS);
      };
      const fail = (error: Error) => {
        socket.destroy();
        reject(error);
      };
      socket.setTimeout(TIMEOUT_MS, () => fail(new Error(`no response within ${TIMEOUT_MS / 1000} s`)));
      socket.on('error', fail);
      socket.on('close', () => reject(new Error('the server closed the connection')));
      socket.on('data', (chunk: Buffer) => {
        try {
          if (!isComplete(chunk)) return;
        } catch (error) {
          return fail(error as Error);
        }
        const now = performance.now();
        latencies.push(now - sent);
        if (now < end && sequence < count) return send();
        resolve();
        socket.destroy();
      });
      send();
    });
  }

  await Promise.all(Array.from({ length: clients }, client));
  const elapsed = (performance.now() - started) / 1000;
  return { seconds: elapsed, latencies: Float64Array.from(latencies).sort() };
}
