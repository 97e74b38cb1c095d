import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { EventFeed } from '../../../src/http/feed/feed.ts';
import { openStore } from '../../../src/store/open.ts';
import { openSqliteFile } from '../../support/database/sqlite-file.ts';
import { eventually, eventuallyEqual } from '../../support/eventually.ts';
import { withRead } from './support.ts';

const CONNECTIONS = 100;
const rex = { name: 'Rex', categoryId: 1n, status: 'available' } as const;

async function openStream(t: TestContext, feed: EventFeed, failsOnEvents = false) {
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
    end() {
      seen.ends++;
      // Later, as a connection does.
      setImmediate(() => stream.close());
    },
  });
  return seen;
}

it('a stream that cannot be written to ends, and the streams after it miss nothing', async (t) => {
  const store = await openStore('sqlite::memory:');
  t.after(() => store.close());
  const reported: unknown[] = [];
  const feed = new EventFeed(store, CONNECTIONS, (error) => reported.push(error));

  const open = (failsOnEvents = false) => openStream(t, feed, failsOnEvents);
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

it('streams end when events that follow are deleted, and later ones go on from where they begin', async (t) => {
  const { store, db } = await openSqliteFile(t);
  await store.createPet(rex);
  const feed = new EventFeed(store, CONNECTIONS, () => {});
  const cut = await openStream(t, feed);
  db.exec('UPDATE events SET id = id + 1');
  await eventuallyEqual(() => cut.ends, 1);

  const next = await openStream(t, feed);
  await store.createPet(rex);
  await eventually(() => next.text.includes('pet.created'), 'it has the next event');
  assert.equal(next.ends, 0);
});

it('streams that catch up wait for their turn, and nothing is read for one that has ended meanwhile', async (t) => {
  const store = await openStore('sqlite::memory:');
  t.after(() => store.close());
  await store.createPets(Array(150).fill(rex));
  const [first] = (await store.listEvents({ limit: 1 })).events;
  let reads = 0;
  const gate = Promise.withResolvers<void>();
  const counted = withRead(store, async (query) => {
    if (++reads > 3) await gate.promise;
    return store.listEvents(query);
  });
  const feed = new EventFeed(counted, CONNECTIONS, () => {});
  const streams = [];
  while (streams.length < 3) streams.push(await feed.open('key', { after: first?.position }));
  const drained = () => Promise.resolve();
  for (const stream of streams) stream.open({ write() {}, drained, end() {} });
  await eventuallyEqual(() => reads, 5);
  for (const stream of streams) stream.close();
  gate.resolve();
  await nextTick();
  assert.equal(reads, 5);
});
