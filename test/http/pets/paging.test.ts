import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import { assertError } from '../../support/assert.ts';
import { linkOf } from '../../support/links.ts';
import { listPets } from '../../support/lists.ts';
import { type Answer, type Service, startService } from '../../support/service/service.ts';
import { startServiceForFile } from '../../support/shared.ts';
import { AUTHORIZED, rawRequest } from '../../support/wire/raw-request.ts';

const STATUSES = ['available', 'pending', 'sold'] as const;
const service = await startServiceForFile();

/** The URL of the next page; undefined on the last page. */
function nextOf(answer: Answer): URL | undefined {
  const next = linkOf(answer, 'next', '/v1/pets');
  return next === undefined ? undefined : new URL(next, 'http://here');
}

const list = (query: string) => service.call('GET', `/v1/pets?${query}`);
const follow = ({ call }: Service, { pathname, search }: URL) => call('GET', pathname + search);
const idsOf = ({ json }: Answer) => (json as { id: number }[]).map(({ id }) => id);

async function add({ call }: Service, status: string): Promise<void> {
  const answer = await call('POST', '/v1/pets', { body: { name: 'Rex', categoryId: 7, status } });
  assert.equal(answer.status, 201);
}

/** The cursor that leads from the first page of this query to the second. */
async function cursorOf(query: string): Promise<string> {
  const cursor = nextOf(await list(query))?.searchParams.get('cursor');
  assert.ok(cursor);
  return cursor;
}

describe('Link of GET /v1/pets', () => {
  before(async () => {
    for (const status of [...STATUSES, ...STATUSES, ...STATUSES]) await add(service, status);
  });

  const answerTo = (target: string) => rawRequest(service.port, `GET ${target}`, [AUTHORIZED]);

  it('repeats the parameters that the list knows, as they were sent, and no others', async () => {
    const { headers } = await answerTo(`/v1/pets?x=${'x'.repeat(4000)}&%73tatus=sold&&?limit=5&limit=1&Page`);
    assert.match(headers.link ?? '', /^<\?%73tatus=sold&limit=1&cursor=[\w-]+>; rel="next"$/);
  });

  it('does not take the fragment of a target for a part of the query', async () => {
    const { headers } = await answerTo('/v1/pets?limit=2&status=sold#top');
    assert.match(headers.link ?? '', /^<\?limit=2&status=sold&cursor=[\w-]+>; rel="next"$/);
    assert.equal((await answerTo('/v1/pets?status=sold#status=none')).status, 200);
    assert.equal((await answerTo('/v1/pets#limit=none')).status, 200);
  });

  it('contains a cursor that is refused when it is damaged or used with another filter', async () => {
    const all = await cursorOf('limit=1');
    const sold = await cursorOf('limit=1&status=sold');
    const odd = ['', '1', '-1', 'null', `${all}=`, `${all}%20`, `%20${all}`, all + all, all.slice(1)];
    const changed = `${all.slice(0, 4)}${all[4] === 'A' ? 'B' : 'A'}${all.slice(5)}`;
    const foreign = [`${all}&status=sold`, sold, `${sold}&status=available`, `${all}&cursor=${all}`];
    for (const cursor of [...odd, changed, ...foreign]) {
      const answer = await list(`cursor=${cursor}`);
      assert.match(assertError(answer, 400, 'invalid_parameter'), /^cursor /, cursor);
    }
    assert.deepEqual(idsOf(await list(`cursor=${all}&limit=2`)), [8, 7]);
    assert.deepEqual(idsOf(await list(`cursor=${sold}&limit=2&status=sold`)), [6, 3]);
  });

  it('is a reference that no angle bracket in a parameter ends', async (t) => {
    const { call, port } = await startService(t);
    for (const _ of 'twice') await call('POST', '/v1/pets', { body: { name: '<b>', categoryId: 7 } });
    const { headers } = await rawRequest(port, 'GET /v1/pets?limit=1&name=<b>', [AUTHORIZED]);
    assert.match(headers.link ?? '', /^<\?limit=1&name=%3Cb%3E&cursor=[\w-]+>; rel="next"$/);
  });

  it('contains a cursor that no text of a filter makes valid for another filter', async (t) => {
    const { call } = await startService(t);
    for (const status of ['sold', 'sold', 'available', 'available'])
      await call('POST', '/v1/pets', { body: { name: 'a&status,sold', categoryId: 7, status } });
    const answer = await call('GET', '/v1/pets?limit=1&name=a%26status,sold');
    const cursor = nextOf(answer)?.searchParams.get('cursor');
    assert.ok(cursor);
    const other = await call('GET', `/v1/pets?limit=1&name=a&status=sold&cursor=${cursor}`);
    assert.match(assertError(other, 400, 'invalid_parameter'), /^cursor /);
  });

  it('contains a cursor that no other search continues with, nor another list', async (t) => {
    for (let n = 0; n < 3; n++) {
      await add(service, 'sold');
      await service.store.removePet(BigInt(10 + n));
    }
    const removed = 'removed=true&id=10&id=11&id=12';
    for (const [query, same, ...others] of [
      ['id=1&id=3', 'id=3&id=1', 'id=1', ''],
      ['name=rex', 'name=rex', 'name=re', 'name=rex&status=sold', ''],
      [
        removed,
        removed,
        'removed=true',
        'removed=true&id=10',
        `${removed}&name=rex`,
        'id=10&id=11&id=12',
        '',
      ],
      ['', '', 'removed=true'],
    ] as const) {
      const cursor = await cursorOf(`${query}&limit=1`);
      assert.match(cursor, /^[\w-]{16,30}$/);
      assert.equal((await list(`${same}&cursor=${cursor}`)).status, 200, query);
      for (const other of others)
        assertError(await list(`${other}&cursor=${cursor}`), 400, 'invalid_parameter');
    }
    const { call } = await startService(t);
    for (const name of ['Dogs', 'Cats']) await call('POST', '/v1/categories', { body: { name } });
    const link = linkOf(await call('GET', '/v1/categories?limit=1'), 'next', '/v1/categories') ?? '';
    assert.equal((await call('GET', link)).status, 200);
    assertError(await call('GET', link.replace('?', '?name=c&')), 400, 'invalid_parameter');
    assertError(await call('GET', link.replace('categories', 'pets')), 400, 'invalid_parameter');
  });
});

describe('Following the pages of GET /v1/pets during concurrent writes', () => {
  it('returns every animal that existed at the start exactly once', async (t) => {
    const service = await startService(t);
    const status = fc.constantFrom(...STATUSES);
    const walk = fc.record({
      first: fc.array(status, { maxLength: 12 }),
      meanwhile: fc.array(fc.array(status, { maxLength: 3 }), { maxLength: 12 }),
      filter: fc.option(status, { nil: undefined }),
      limit: fc.integer({ min: 1, max: 25 }),
    });
    await fc.assert(
      fc.asyncProperty(walk, async ({ first, meanwhile, filter, limit }) => {
        await Promise.all(first.map((each) => add(service, each)));
        const there = await listPets(service.store, { limit: 1_000_000, status: filter });
        const seen: number[] = [];
        const start = `http://here/v1/pets?limit=${limit}${filter ? `&status=${filter}` : ''}`;
        let target: URL | undefined = new URL(start);
        for (let page = 0; target; page++) {
          const writing = Promise.all((meanwhile[page] ?? []).map((each) => add(service, each)));
          const answer = await follow(service, target);
          await writing;
          assert.equal(answer.status, 200, answer.text);
          assert.deepEqual(
            idsOf(answer).filter((id) => seen.includes(id)),
            [],
            'no animal is returned twice',
          );
          seen.push(...idsOf(answer));
          target = nextOf(answer);
        }
        const newest = there[0]?.id ?? 0n;
        assert.deepEqual(
          seen.filter((id) => id <= newest),
          there.map(({ id }) => Number(id)),
        );
      }),
      { numRuns: 15 },
    );
  });
});
