import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The yardstick: a bare node:http server that answers the same bytes from memory and checks nothing. */
const body = process.env.BODY ?? '';
const headers = [
  'content-type',
  'application/json; charset=utf-8',
  'content-length',
  String(Buffer.byteLength(body)),
];

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, headers);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`limit listens on http://127.0.0.1:${port}/v1\n`);
});
