import type { ServerResponse } from 'node:http';
import { type LogOutput, logRequest, type RequestLine } from './request-log.ts';

/** An answer that is ready to be sent. */
export interface Ready {
  readonly response: ServerResponse;
  readonly headers: string[];
  readonly text: string;
  readonly encoding: 'latin1' | 'utf8';
  readonly line: RequestLine;
  /** When its request was begun. */
  readonly since: number;
}

/** Sends the answers that get ready together in a row, and then writes their lines of the log: see `together`. */
export class Outbox {
  readonly #output: LogOutput;
  #ready: Ready[] = [];

  constructor(output: LogOutput) {
    this.#output = output;
  }

  send(ready: Ready): void {
    if (this.#ready.length === 0) process.nextTick(() => this.#sendAll());
    this.#ready.push(ready);
  }

  #sendAll(): void {
    const due = this.#ready;
    this.#ready = [];
    for (const { response, headers, text, encoding, line } of due)
      response.writeHead(line.status, headers).end(text, encoding);
    const now = performance.now();
    for (const { line, since } of due) logRequest(this.#output, line, now - since);
  }
}
