import { readFileSync } from 'node:fs';
import { connect } from 'node:net';

const TICKS_PER_SECOND = 100;

export interface Load {
  readonly port: number;
  readonly pid: number;
  readonly clients: number;
  readonly seconds: number;
  readonly request: string;
}

export interface Figures {
  readonly perSecond: number;
  /** CPU of the server process (user and system) per request, in microseconds. */
  readonly cpu: number;
}

/** Sends the request on keep-alive connections, each as soon as the last is answered, and counts. Linux only. */
export async function measure({ port, pid, clients, seconds, request }: Load): Promise<Figures> {
  const end = performance.now() + seconds * 1000;
  const ticks = cpuTicks(pid);
  const started = performance.now();
  const counts = await Promise.all(Array.from({ length: clients }, () => client(port, request, end)));
  const requests = counts.reduce((sum, count) => sum + count, 0);
  const used = (cpuTicks(pid) - ticks) / TICKS_PER_SECOND;
  return { perSecond: requests / ((performance.now() - started) / 1000), cpu: (used * 1e6) / requests };
}

function client(port: number, request: string, end: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let answered = 0;
    let text = '';
    socket.setEncoding('latin1').on('error', reject);
    socket.on('data', (chunk: string) => {
      text += chunk;
      const head = text.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
      if (text.length < head + 4 + length) return;
      if (!text.startsWith('HTTP/1.1 20')) return reject(new Error(text));
      text = '';
      answered++;
      if (performance.now() < end) socket.write(request);
      else socket.end(() => resolve(answered));
    });
    socket.write(request);
  });
}

function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
