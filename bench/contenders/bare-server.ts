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

function write(request: IncomingMessage, response: ServerResponse, recorded: RecordedResponse): void {
  let text = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => {
    JSON.parse(text);
    send(response, recorded);
  });
}

const server = createServer((request, response) => {
  const { method, url = '' } = request;
  if (method === 'POST') write(request, response, responses.create);
  else if (method === 'PATCH') write(request, response, responses.update);
  else if (url === '/v1/pets') send(response, responses.first);
  else if (url.startsWith('/v1/pets/')) send(response, responses.one);
  else if (url.startsWith('/v1/pets?categoryId')) send(response, responses.category);
  else if (url.startsWith('/v1/categories')) send(response, responses.categories);
  else if (url.startsWith('/v1/store/inventory')) send(response, responses.inventory);
  else send(response, url.startsWith('/v1/pets?status') ? responses.filtered : responses.page);
});
server.keepAliveTimeout = Number(/timeout=(\d+)/.exec(responses.keepAlive)?.[1] ?? 5) * 1000;
server.listen(Number(PORT), '127.0.0.1');
