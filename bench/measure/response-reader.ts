const LAST_CHUNK = '0\r\n\r\n';

/**
 * Reads the responses of one connection, one after the other. The returned function takes what arrived and tells
 * whether the current response is complete; it throws when the response is not a success.
 */
export function responseReader(): (chunk: Buffer) => boolean {
  let head: Buffer = Buffer.alloc(0);
  let missing = 0;
  let tail = '';

  function readHead(chunk: Buffer): boolean {
    const bytes = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const end = bytes.indexOf('\r\n\r\n');
    head = end < 0 ? bytes : head.subarray(0, 0);
    if (end < 0) return false;
    const text = bytes.toString('latin1', 0, end);
    if (!text.startsWith('HTTP/1.1 20')) throw new Error(`not a success:\n${bytes}`);
    const length = /content-length: (\d+)/i.exec(text)?.[1];
    missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length) - (bytes.length - end - 4);
    return true;
  }

  return (chunk) => {
    if (missing > 0) missing -= chunk.length;
    else if (!readHead(chunk)) return false;
    if (missing !== Number.POSITIVE_INFINITY) return missing === 0;
    tail = (tail + chunk.subarray(-LAST_CHUNK.length).toString('latin1')).slice(-LAST_CHUNK.length);
    if (tail !== LAST_CHUNK) return false;
    missing = 0;
    tail = '';
    return true;
  };
}
