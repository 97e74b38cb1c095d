import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { type Call, KEY, type Kind, ourTarget } from '../work/calls.ts';

export interface Answer {
  readonly status: number;
  /** Names and values in turn, without those that node:http adds by itself. */
  readonly headers: string[];
  readonly body: string;
}

/** One real answer of this service for each kind of call, and how long it keeps a connection. */
export type Answers = Readonly<Record<Kind, Answer>> & { readonly keepAlive: string };

const ADDED = ['date', 'connection', 'keep-alive'];

/** Asks the service that listens on this port, in the middle of its animals. */
export async function captureAnswers(port: number, animals: number): Promise<Answers> {
  const middle = Math.floor(animals / 2);
  const body = JSON.stringify({
    name: 'Rex 0123456 of the benchmark, a patient animal',
    categoryId: 250,
    status: 'available',
  });
  const first = await ask(port, { kind: 'first' });
  return {
    keepAlive: String(first.headers['keep-alive']),
    first: await answerOf(first),
    page: await answerOf(await ask(port, { kind: 'page', before: middle })),
    filtered: await answerOf(await ask(port, { kind: 'filtered', status: 'pending' })),
    one: await answerOf(await ask(port, { kind: 'one', id: middle })),
    create: await answerOf(await ask(port, { kind: 'create', body })),
  };
}

async function ask(port: number, call: Call): Promise<IncomingMessage> {
  const creates = call.kind === 'create';
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path: ourTarget(call),
    method: creates ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${KEY}`,
      connection: 'keep-alive',
      ...(creates && { 'content-type': 'application/json' }),
    },
    agent: false,
  });
  outgoing.end(creates ? call.body : undefined);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return response;
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  const { statusCode = 0, rawHeaders } = response;
  const headers: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2);
    if (!ADDED.includes(name.toLowerCase())) headers.push(name, value);
  }
  return { status: statusCode, headers, body: await text(response) };
}
