import { KEY } from '../service/service.ts';
import { exchange, parseAnswer, type RawAnswer } from './socket.ts';

export const AUTHORIZED = `Authorization: Bearer ${KEY}`;

/**
 * Sends one request on a new connection, with these header lines and only Host, Connection and the length of a body
 * added, for requests that fetch would correct, merge or refuse to send.
 */
export async function rawRequest(
  port: number,
  requestLine: string,
  headers: readonly string[],
  body: string | Uint8Array = '',
): Promise<RawAnswer> {
  const content = Buffer.from(body);
  const lines = [`${requestLine} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close', ...headers];
  if (content.length > 0) lines.push(`Content-Length: ${content.length}`);
  return parseAnswer(
    await exchange(port, Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content])),
  );
}
