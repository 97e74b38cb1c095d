import assert from 'node:assert/strict';
import { call } from '../service/service.ts';
import { HOST, request } from '../wire/conversation.ts';

/** The longest possible name, in characters of four bytes. A page of them has 400 kB. */
const LONG_NAME = '\u{1F415}'.repeat(1000);
/** The same in characters that JSON escapes. A page of them has 600 kB, which is the largest possible response. */
export const ESCAPED_NAME = '\u0001'.repeat(1000);
const COUNT = 100;

export const LONG_PAGE = request('GET /v1/pets?limit=100');
/** Sent by `flood`, each of these is another query, so that no two share an answer. */
export const DIFFERENT_LONG_PAGE = request('GET /v1/pets?limit=100&unused={n}');

const LARGE_POST = request(
  'POST /v1/pets',
  `${HOST}Content-Type: application/json\r\nContent-Length: 60000\r\n`,
  ' '.repeat(60_000),
);
/** Requests with large bodies and no key, after some with large answers. */
export const LARGE_POSTS = request('GET /openapi.json', HOST).repeat(6) + LARGE_POST.repeat(10);

export async function createLongNamedPets(port: number, name = LONG_NAME): Promise<void> {
  const body = { name, categoryId: 7 };
  for (let n = 0; n < COUNT; n++) {
    const { status } = await call(`http://127.0.0.1:${port}`, 'POST', '/v1/pets', { body });
    assert.equal(status, 201);
  }
}
