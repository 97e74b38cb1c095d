import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { KEY } from '../service/service.ts';

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A client with one persistent connection. It never retries, so that every failure is visible. */
export class KeepAliveClient {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.send('GET', path, headers);
  }

  createPet(name: string, headers: Record<string, string> = {}): Promise<Reply> {
    return this.send('POST', '/v1/pets', headers, JSON.stringify({ name, categoryId: 7 }));
  }

  close(): void {
    this.#agent.destroy();
  }

  send(method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const options = { agent: this.#agent, host: '127.0.0.1', port: this.#port, method, path };
      request({ ...options, headers: { authorization: `Bearer ${KEY}`, ...headers } }, (response) => {
        const { statusCode: status = 0, headers } = response;
        text(response).then((body) => resolve({ status, headers, body }), reject);
      })
        .on('error', reject)
        .end(body);
    });
  }
}
