import { connect } from 'node:net';

const PATIENCE_MS = 30_000;
const LAST_CHUNK = '0\r\n\r\n';

export interface Load {
  readonly port: number;
  readonly clients: number;
  readonly seconds: number;
  /** Sent in turn, by whichever client is free; begun anew when all are sent. */
  readonly requests: readonly string[];
}

export interface Sample {
  readonly seconds: number;
  /** Milliseconds from each request to the last byte of its answer, in ascending order. */
  readonly latencies: Float64Array;
}

/** Keeps every client busy on a keep-alive connection of its own. Any answer but a success ends it with that answer. */
export async function load({ port, clients, seconds, requests }: Load): Promise<Sample> {
  const latencies: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  let turn = 0;
  const next = () => requests[turn++ % requests.length] as string;

  function client(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      const isComplete = answerReader();
      let sent = 0;
      const send = () => {
        sent = performance.now();
        socket.write(next(), 'latin1');
      };
      const fail = (error: Error) => {
        socket.destroy();
        reject(error);
      };
      socket.setTimeout(PATIENCE_MS, () => fail(new Error(`no answer for ${PATIENCE_MS / 1000} s`)));
      socket.on('error', fail);
      socket.on('close', () => reject(new Error('the connection was closed')));
      socket.on('data', (chunk: Buffer) => {
        try {
          if (!isComplete(chunk)) return;
        } catch (error) {
          return fail(error as Error);
        }
        const now = performance.now();
        latencies.push(now - sent);
        if (now < end) return send();
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

/** Takes what arrives of one answer after the other and tells when one is complete. Throws when it is no success. */
function answerReader(): (chunk: Buffer) => boolean {
  let head: Buffer = Buffer.alloc(0);
  let missing = 0;
  let tail = '';

  function readHead(chunk: Buffer): boolean {
    const bytes = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const end = bytes.indexOf('\r\n\r\n');
    head = end < 0 ? bytes : head.subarray(0, 0);
    if (end < 0) return false;
    const text = bytes.toString('latin1', 0, end);
    if (!text.startsWith('HTTP/1.1 20')) throw new Error(`not a success:\n${bytes}`);
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length) - (bytes.length - end - 4);
    return true;
  }

  return (chunk) => {
    if (missing > 0) missing -= chunk.length;
    else if (!readHead(chunk)) return false;
    if (missing !== Number.POSITIVE_INFINITY) return missing === 0;
    tail = (tail + chunk.subarray(-LAST_CHUNK.length).toString('latin1')).slice(-LAST_CHUNK.length);
    if (tail !== LAST_CHUNK) return false;
    missing = 0;
    tail = '';
    return true;
  };
}
