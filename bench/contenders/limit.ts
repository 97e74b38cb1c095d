import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Answers } from './answers.ts';

/**
 * The limit: node:http with nothing on it. It sends the answers that this service gave, byte for byte, out of memory, in
 * the fastest way that we know: one string, and its headers as a flat array. It looks at no key, no query and no animal.
 */
const { ANSWERS = '', PORT } = process.env;
const answers = JSON.parse(readFileSync(ANSWERS, 'utf8')) as Answers;

function answer(response: ServerResponse, { status, headers, body }: Answers['first']): void {
  response.writeHead(status, headers);
  response.end(body);
}

function answerCreate(request: IncomingMessage, response: ServerResponse): void {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    JSON.parse(text);
    answer(response, answers.create);
  });
}

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  if (method === 'POST') answerCreate(request, response);
  else if (url === '/v1/pets') answer(response, answers.first);
  else if (url.startsWith('/v1/pets/')) answer(response, answers.one);
  else answer(response, url.startsWith('/v1/pets?status') ? answers.filtered : answers.page);
});
server.keepAliveTimeout = Number(/timeout=(\d+)/.exec(answers.keepAlive)?.[1] ?? 5) * 1000;
server.listen(Number(PORT), '127.0.0.1');
