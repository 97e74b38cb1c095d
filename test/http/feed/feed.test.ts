import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EventFeed } from '../../../src/http/feed/feed.ts';
import { openStore } from '../../../src/store/open.ts';
import { eventually } from '../../support/eventually.ts';

const CONNECTIONS = 100;

it('a stream that cannot be written to ends, and the streams after it miss nothing', async (t) => {
  const store = await openStore('sqlite::memory:');
  t.after(() => store.close());
  const reported: unknown[] = [];
  const feed = new EventFeed(store, CONNECTIONS, (error) => reported.push(error));

  const open = async (failsOnEvents = false) => {
    const stream = await feed.open('key', {});
    t.after(() => stream.close());
    const seen = { text: '', ends: 0 };
    stream.open({
      write(part) {
        const text = Buffer.from(part).toString();
        if (failsOnEvents && text.startsWith('id:')) throw new Error('broken');
        seen.text += text;
      },
      drained: () => Promise.resolve(),
      end: () => seen.ends++,
    });
    return seen;
  };
  const before = await open();
  const broken = await open(true);
  const after = await open();

  const add = (name: string) => store.createPet({ name, categoryId: 1n, status: 'available' });
  const bothHave = (name: string) =>
    eventually(
      () => [before, after].every(({ text }) => text.includes(`"${name}"`)),
      `both have read of ${name}`,
    );
  await add('Rex');
  await bothHave('Rex');
  await add('Luna');
  await bothHave('Luna');
  for (const { text, ends } of [before, after])
    assert.deepEqual([ends, text.match(/^event: pet\.created$/gm)?.length], [0, 2]);
  assert.equal(broken.ends, 1);
  assert.deepEqual(reported.map(String), ['Error: broken']);
});
