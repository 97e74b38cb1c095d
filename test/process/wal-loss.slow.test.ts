import assert from 'node:assert/strict';
import { statSync, truncateSync } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { assertConsistent } from '../support/database/consistency.ts';
import { petsIn } from '../support/database/database.ts';
import { LONG_RUN, startAttackedService } from '../support/service/attacked-service.ts';
import { spawnService } from '../support/service/process.ts';
import { call } from '../support/service/service.ts';

const CUTS = LONG_RUN ? 20 : 3;
/** Few enough that SQLite does not begin the log anew, at 1,000 pages. */
const PETS = 60;
/** Of a frame in the write-ahead log: its header and one page. */
const FRAME = 24 + 4096;
const WAL_HEADER = 32;

/**
 * What a failing disk, or a copy without its companion file, can do to a database. SQLite verifies every frame of the log, so
 * the most that can happen is that the latest commits are missing: never a part of one, and never another order.
 */
describe('after kill -9, a write-ahead log', { timeout: 300_000 }, () => {
  it('that is truncated anywhere, or missing, leaves a consistent earlier state that takes writes', async (t) => {
    const { databaseFile: file, ...killed } = await startAttackedService(t);
    for (let n = 1; n <= PETS; n++) {
      const { json } = await call(killed.origin, 'POST', '/v1/pets', {
        body: { name: `${n}`, categoryId: 1 },
      });
      if (n % 2 === 0)
        await call(killed.origin, 'POST', '/v1/store/orders', {
          body: { petId: Number((json as { id: bigint }).id) },
        });
    }
    killed.child.kill('SIGKILL');
    await killed.exited;
    const bytes = statSync(`${file}-wal`).size;
    const frames = Math.floor((bytes - WAL_HEADER) / FRAME);
    assert.ok(frames > PETS, 'the log has the writes');

    const lengths = Array.from({ length: CUTS }, (_, n) => {
      const frame = Math.floor(((n + 0.5) / CUTS) * frames);
      // Within a frame, in its header, or between two.
      return WAL_HEADER + frame * FRAME + ([1000, 10, 0][n % 3] ?? 0);
    });
    const remaining: number[] = [];
    for (const length of [...lengths, ...(LONG_RUN ? [0] : []), undefined]) {
      const copy = `${file}.${length}`;
      await copyFile(file, copy);
      await copyFile(`${file}-wal`, `${copy}-wal`);
      if (length === undefined) await rm(`${copy}-wal`);
      else truncateSync(`${copy}-wal`, length);
      const service = await spawnService(t, { DATABASE_URL: `sqlite:${copy}` });
      // The first animals, without a gap.
      const kept = petsIn(copy);
      assert.deepEqual(
        kept.map(({ id, name }) => [id, name]),
        kept.map((_, n) => [n + 1, `${n + 1}`]),
      );
      remaining.push(kept.length);
      assertConsistent(copy);
      const body = { name: 'after', categoryId: 1 };
      assert.equal((await call(service.origin, 'POST', '/v1/pets', { body })).status, 201);
      assert.equal((await call(service.origin, 'GET', '/readyz')).status, 200);
      assert.equal(service.errors(), '');
      service.child.kill('SIGKILL');
      await service.exited;
    }
    t.diagnostic(
      `${PETS} animals; with the log cut at ${CUTS} places, then without it: ${remaining.join(', ')}`,
    );
    const [least = 0, ...more] = remaining.slice(0, CUTS);
    assert.ok(least > 0 && least < PETS, 'the first cut leaves a part');
    for (const [n, count] of more.entries())
      assert.ok(count > Number(remaining[n]), 'each longer log has more');
  });
});
