import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { limits } from '../../../src/contract/limits.ts';
import { header } from '../../support/assert.ts';
import { openStream } from '../../support/events/event-stream.ts';
import { startServiceForFile } from '../../support/shared.ts';

const service = await startServiceForFile();

/** How many items each page of a list has, and all of them. */
async function pagesOf(path: string): Promise<{ sizes: number[]; items: { id: unknown }[] }> {
  const sizes: number[] = [];
  const items: { id: unknown }[] = [];
  for (let next: string | undefined = path; next; ) {
    const answer = await service.call('GET', next);
    assert.equal(answer.status, 200, answer.text);
    const page = answer.json as { id: unknown }[];
    sizes.push(page.length);
    items.push(...page);
    const query = /<([^>]+)>; rel="next"/.exec(header(answer, 'link') ?? '')?.[1];
    next = query && new URL(query, `${service.origin}${next}`).href.slice(service.origin.length);
  }
  return { sizes, items };
}

describe('A list that no index answers', () => {
  before(async () => {
    const oldest = { name: 'Björn', categoryId: 7n, status: 'available' } as const;
    await service.store.createPets([oldest]);
    const others = Array.from({ length: 5000 }, (_, i) => ({ ...oldest, name: `Animal ${i}` }));
    for (let added = 0; added < limits.lookedAt; added += others.length)
      await service.store.createPets(others);
  });

  it('looks at so many animals and says where to go on, also on an empty page', async () => {
    const { sizes, items } = await pagesOf('/v1/pets?name=BJORN&limit=100');
    assert.deepEqual(sizes, [0, 1]);
    assert.equal(items[0]?.id, 1);
    assert.deepEqual((await pagesOf('/v1/pets?name=nothing&status=available&categoryId=7')).sizes, [0, 0]);
    assert.deepEqual((await pagesOf('/v1/pets?name=nothing%20else')).sizes, [0, 0, 0], 'fewer for two words');
    assert.deepEqual((await pagesOf('/v1/pets?name=bjorn&id=1&id=2')).sizes, [1]);
  });

  it('looks at so many events, and a stream goes on by itself', async (t) => {
    const removed = await service.call('DELETE', '/v1/pets/1?reason=died');
    assert.equal(removed.status, 204);
    const { sizes, items } = await pagesOf('/v1/events?type=pet.removed&type=pet.restored&limit=5');
    assert.deepEqual(sizes, [0, 1]);
    const [first] = (await service.call('GET', '/v1/events?limit=1')).json as { id: string }[];
    const query = `?type=pet.removed&after=${first?.id}`;
    const frames = await (await openStream(t, service.port, { query })).received(1);
    assert.deepEqual(
      frames.map(({ id, event }) => [id, event]),
      [[items[0]?.id, 'pet.removed']],
    );
  });
});
