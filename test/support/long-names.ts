import assert from 'node:assert/strict';
import { request } from './conversation.ts';
import { call } from './service.ts';

/** As long as a name may be, in characters of four bytes: a page of 400 kB. */
export const LONG_NAME = '\u{1F415}'.repeat(1000);
/** The same in characters that JSON escapes: a page of 600 kB, as much as an answer can be. */
export const ESCAPED_NAME = '\u0001'.repeat(1000);
const COUNT = 100;

export const LONG_PAGE = request('GET /v1/pets?limit=100');

export async function createLongNamedPets(port: number, name = LONG_NAME): Promise<void> {
  const body = { name, categoryId: 7 };
  for (let n = 0; n < COUNT; n++) {
    const { status } = await call(`http://127.0.0.1:${port}`, 'POST', '/v1/pets', { body });
    assert.equal(status, 201);
  }
}
