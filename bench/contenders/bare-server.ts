import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { RecordedResponse, RecordedResponses } from './recorded-responses.ts';

/**
 * The limit: node:http and nothing else. It sends recorded responses of this service from memory, byte for byte, in the
 * fastest way we know: the body as one string, the headers as a flat array. It checks no key, query or id.
 */
const { RESPONSES = '', PORT } = process.env;
const responses = JSON.parse(readFileSync(RESPONSES, 'utf8')) as RecordedResponses;

function send(response: ServerResponse, { status, headers, body }: RecordedResponse): void {
  response.writeHead(status, headers);
  response.end(body);
}

function create(request: IncomingMessage, response: ServerResponse): void {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    JSON.parse(text);
    send(response, responses.create);
  });
}

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  if (method === 'POST') create(request, response);
  else if (url === '/v1/pets') send(response, responses.first);
  else if (url.startsWith('/v1/pets/')) send(response, responses.one);
  else send(response, url.startsWith('/v1/pets?status') ? responses.filtered : responses.page);
});
server.keepAliveTimeout = Number(/timeout=(\d+)/.exec(responses.keepAlive)?.[1] ?? 5) * 1000;
server.listen(Number(PORT), '127.0.0.1');
