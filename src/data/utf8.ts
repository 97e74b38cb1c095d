import { DataError } from './format.ts';

/** Decodes a stream of bytes. Text in another encoding is an error: replaced characters would be stored as names. */
export async function* decodeUtf8(input: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let line = 1;
  try {
    for await (const bytes of input) {
      const text = decoder.decode(bytes, { stream: true });
      yield text;
      line += text.split('\n').length - 1;
    }
    yield decoder.decode();
  } catch (error) {
    if (
      !(
        error instanceof TypeError &&
        (error as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
      )
    )
      throw error;
    throw new DataError(`The input is not UTF-8 text, at or soon after line ${line}: save it as UTF-8.`);
  }
}
