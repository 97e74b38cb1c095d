import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually.ts';
import type { Service } from './service/service.ts';
import type { Sent } from './wire/odd-requests.ts';

/** A response as it was sent, without the parts that differ each time. */
export interface ObservedAnswer {
  readonly status: string;
  /** `name: value`, the name in lower case, sorted. */
  readonly headers: readonly string[];
  readonly body: string;
}

export type LogLine = Readonly<Record<string, unknown>>;

/** Everything that a request causes, as observed from outside. */
export interface Observed {
  readonly answers: readonly ObservedAnswer[];
  /** The lines of the log. */
  readonly log: readonly LogLine[];
}

/** Sends the request on a new connection, and closes the sending side. */
export async function observe(service: Service, sent: Sent): Promise<Observed> {
  const from = service.log.length;
  const text = await exchange(service.port, sent);
  const answers = text === '' ? [] : text.split(/(?=HTTP\/1\.1 \d{3} )/).map(answerOf);
  return { answers, log: await linesFrom(service, from, answers.length) };
}

/** Creates the animals and orders that every recorded request depends on, over HTTP, one after the other. */
export async function prepare(service: Service): Promise<void> {
  for (let n = 0; n < 5; n++)
    await service.call('POST', '/v1/pets', { body: { name: `Rex ${n}`, categoryId: 7 } });
  for (const petId of [1, 2, 3]) await service.call('POST', '/v1/store/orders', { body: { petId } });
  await linesFrom(service, 0, 8);
}

/** Everything received until the connection is closed or reset. */
async function exchange(port: number, { head, body, apart }: Sent): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('utf8');
  let text = '';
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => {}).on('close', () => resolve());
  if (apart) {
    socket.write(`${head}\r\n`);
    await sleep(5);
  }
  socket.end(apart ? body : `${head}\r\n${body}`);
  await closed;
  return text;
}

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

function answerOf(answer: string): ObservedAnswer {
  const text = answer.replaceAll(UUID, 'generated').replaceAll(TIME, 'now');
  const [head = '', ...body] = text.split('\r\n\r\n');
  const [status = '', ...lines] = head.split('\r\n');
  const headers = lines
    .map((line) => line.replace(/^[^:]*/, (name) => name.toLowerCase()))
    .filter((line) => !/^(?:date|keep-alive):/.test(line));
  return { status, headers: headers.sort(), body: body.join('\r\n\r\n') };
}

/** The lines of the log from number `from` on. Waits until there is a line for each of the requests. */
async function linesFrom({ log }: Service, from: number, requests: number): Promise<LogLine[]> {
  const lines = () => log.slice(from);
  const isComplete = () => lines().filter(({ msg }) => msg === 'request').length >= requests;
  await eventually(isComplete, 'the log has every line');
  return lines().map(({ time, ms, pid, hostname, requestId, ...line }) => ({
    ...line,
    requestId: String(requestId).replaceAll(UUID, 'generated'),
  }));
}
