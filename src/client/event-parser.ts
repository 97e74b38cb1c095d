/** A server-sent event. */
export interface ServerSentEvent {
  /** The id of the latest event that had one. */
  readonly id: string;
  readonly data: string;
}

/**
 * Reads server-sent events by the rules of the WHATWG HTML standard, from bytes in parts of any size. An event is complete with
 * the empty line after it: what the end of the stream cuts off is dropped.
 */
export class EventParser {
  // Drops a byte order mark, and joins characters that are in two parts.
  readonly #decoder = new TextDecoder();
  #line = '';
  #afterCr = false;
  #id = '';
  #data: string[] = [];

  *push(bytes: Uint8Array): Generator<ServerSentEvent, void, undefined> {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === '') return;
    if (this.#afterCr && text.startsWith('\n')) text = text.slice(1);
    this.#afterCr = text.endsWith('\r');
    const lines = text.split(/\r\n|\n|\r/);
    lines[0] = this.#line + lines[0];
    this.#line = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== '') this.#readField(line);
      else if (this.#data.length > 0) {
        const data = this.#data.join('\n');
        this.#data = [];
        yield { id: this.#id, data };
      }
    }
  }

  #readField(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
  }
}
