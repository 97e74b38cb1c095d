import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ApiError } from '../../src/contract/errors.ts';
import { openStore } from '../../src/store/open.ts';
import { temporaryFolder } from '../support/service/service.ts';

/** Adds two events and deletes the two oldest, in one transaction, as fast as it can: what another process does over months. */
const FORGET = `
  const { workerData } = require('node:worker_threads');
  const db = new (require('node:sqlite').DatabaseSync)(workerData);
  db.exec('PRAGMA synchronous = OFF; PRAGMA busy_timeout = 5000');
  const add = db.prepare("INSERT INTO events (type, at, content) VALUES ('probe', 0, '{}')");
  const remove = db.prepare('DELETE FROM events WHERE id IN (SELECT id FROM events ORDER BY id LIMIT 2)');
  for (;;) {
    db.exec('BEGIN IMMEDIATE');
    add.run(); add.run(); remove.run();
    db.exec('COMMIT');
  }`;
const KEPT = 200;
/** Enough that a reader whose position is looked up first, and its page read after that, skips events: one in some hundred. */
const READS = 20_000;

it('a reader is never led past events that are deleted while it reads: it gets the next one, or 410', async (t) => {
  const file = join(await temporaryFolder(t), 'pets.db');
  const store = await openStore(`sqlite:${file}`);
  t.after(() => store.close());
  const db = new DatabaseSync(file);
  t.after(() => db.close());
  for (let i = 0; i < KEPT; i++) db.exec("INSERT INTO events (type, at, content) VALUES ('probe', 0, '{}')");
  const oldest = db.prepare('SELECT min(id) AS id FROM events');
  const worker = new Worker(FORGET, { eval: true, workerData: file });
  t.after(() => worker.terminate());
  await once(worker, 'online');

  const seen = { next: 0, expired: 0 };
  for (let i = 0; i < READS || seen.expired === 0; i++) {
    // About to be deleted when it is read.
    const id = BigInt(oldest.get()?.id as number) + BigInt(i % 40);
    try {
      const after = { id, at: new Date(0) };
      const { events } = await store.listEvents({ limit: 2, after });
      assert.equal(events[0]?.position.id, id + 1n);
      seen.next++;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      assert.equal(error.code, 'cursor_expired');
      seen.expired++;
    }
  }
  assert.ok(seen.next > 0);
  t.diagnostic(`${seen.next} pages, ${seen.expired} times 410`);
});
