import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate as nextTick } from 'node:timers/promises';
import { ApiError } from '../../src/contract/errors.ts';
import { weightOf } from '../../src/store/actions.ts';
import { Batcher, type Limits, type Outcome } from '../../src/store/batcher.ts';

/** A commit in progress; the test decides how it ends. */
interface Commit {
  readonly writes: readonly string[];
  end(outcomes?: Outcome<string>[]): void;
  fail(error: Error): void;
}

const done = (write: string): Outcome<string> => ({ ok: true, value: `${write} committed` });

/** A batcher whose commits remain in progress until the test ends them. Every write has the same weight unless given. */
function start(
  limits: Partial<Limits> = {},
  weightOf = (_write: string) => 1,
): { batcher: Batcher<string, string>; commits: Commit[] } {
  const commits: Commit[] = [];
  const batcher = new Batcher<string, string>(
    (writes) => {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome<string>[]>();
      commits.push({ writes, end: (outcomes = writes.map(done)) => resolve(outcomes), fail: reject });
      return promise;
    },
    weightOf,
    (write) => write !== 'no proof',
    limits,
  );
  return { batcher, commits };
}

type Texts = Batcher<string, string>;

/** Adds the first write, and the others while it is being committed. */
async function add(batcher: Texts, first: string, ...others: string[]): Promise<Promise<string>[]> {
  const added = batcher.add(first);
  await nextTick();
  const all = [added, ...others.map((write) => batcher.add(write))];
  await nextTick();
  return all;
}

/** The current state of a promise. */
async function state(promise: Promise<string>): Promise<string> {
  let state = 'open';
  promise.then(
    (value) => (state = value),
    (error: Error) => (state = `failed: ${error.message}`),
  );
  await nextTick();
  return state;
}

/** Ends these commits one after the other, each when it has begun. */
async function endInTurn(commits: Commit[], ...turns: number[]): Promise<void> {
  for (const turn of turns) {
    await nextTick();
    commits[turn]?.end();
  }
}

/** A batcher whose latest commit took 100 ms, where a write may wait for 200 ms. */
async function startSlow(t: TestContext, batch: number, weightOf?: (write: string) => number) {
  let now = 5000;
  t.mock.method(performance, 'now', () => now);
  const started = start({ batch, waitMs: 200 }, weightOf);
  const first = started.batcher.add('slow');
  await nextTick();
  now += 100;
  started.commits[0]?.end();
  await first;
  return started;
}

const writesOf = (commits: Commit[]) => commits.map(({ writes }) => writes);

const unavailable = (message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === 'unavailable' && message.test(error.message);

describe('Batcher', { timeout: 60_000 }, () => {
  it('commits the writes of one tick together, those that arrive meanwhile in the next commit, and settles each after its own', async () => {
    const { batcher, commits } = start();
    const [a, b] = [batcher.add('a'), batcher.add('b')];
    await nextTick();
    const [c, d] = [batcher.add('c'), batcher.add('d')];
    assert.equal(await state(a), 'open');
    assert.deepEqual(writesOf(commits), [['a', 'b']]);
    commits[0]?.end();
    assert.deepEqual(await Promise.all([a, b]), ['a committed', 'b committed']);
    assert.equal(await state(c), 'open');
    commits[1]?.end();
    assert.deepEqual(await Promise.all([c, d]), ['c committed', 'd committed']);
    const afterPause = batcher.add('e');
    await nextTick();
    commits[2]?.end();
    assert.equal(await afterPause, 'e committed');
    assert.deepEqual(writesOf(commits), [['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('fails only the write whose outcome is an error or missing, and only the batch whose commit rejects', async () => {
    const { batcher, commits } = start();
    const [first, good, bad, missing] = await add(batcher, 'first', 'good', 'bad', 'missing');
    commits[0]?.fail(new Error('no disk'));
    await assert.rejects(first as Promise<string>, /^Error: no disk$/);
    commits[1]?.end([done('good'), { ok: false, error: new Error('invalid') }]);
    assert.equal(await good, 'good committed');
    await assert.rejects(bad as Promise<string>, /^Error: invalid$/);
    await assert.rejects(missing as Promise<string>, /no outcome/);
  });

  it('leaves no timer when its writes are settled: a command would exit only after it', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const { batcher, commits } = start();
    const [committed, failed] = await add(batcher, 'committed', 'failed');
    assert.equal(timers(), before + 2);
    commits[0]?.end();
    await committed;
    commits[1]?.fail(new Error('no disk'));
    await assert.rejects(failed as Promise<string>);
    assert.equal(timers(), before);
  });

  it('refuses at once when `pending` writes are pending, and accepts writes again when some are settled', async () => {
    const { batcher, commits } = start({ pending: 3 });
    const accepted = await add(batcher, 'first', 'a', 'b');
    await assert.rejects(batcher.add('c'), unavailable(/Too many writes/));
    commits[0]?.end();
    await nextTick();
    accepted.push(batcher.add('d'));
    await endInTurn(commits, 1, 2);
    await Promise.all(accepted);
    assert.deepEqual(writesOf(commits), [['first'], ['a', 'b'], ['d']]);
  });

  it('refuses writes that would wait longer than `waitMs` at the pace of the latest commit', async (t) => {
    const { batcher, commits } = await startSlow(t, 1);
    // At 100 ms for each commit, the fourth would begin after 300 ms.
    const added = ['a', 'b', 'c', 'd'].map((write) => batcher.add(write));
    await assert.rejects(
      added.pop() as Promise<string>,
      unavailable(/Too many writes are waiting; nothing was written/),
    );
    await endInTurn(commits, 1, 2, 3);
    assert.deepEqual(await Promise.all(added), ['a committed', 'b committed', 'c committed']);
    // Commits are fast again, and with them the queue.
    const more = Array.from({ length: 9 }, (_, n) => batcher.add(`${n}`));
    await endInTurn(commits, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    assert.equal((await Promise.all(more)).length, 9);
  });

  it('bounds a batch by the weight of its writes, and lets a light one pass many heavy ones', async () => {
    const { batcher, commits } = start({ batch: 10 }, (write) => write.length);
    const writes = ['aaaa', 'bbbb', 'cccc', 'a heavy one of its own', 'd', 'e', 'f'];
    const all = writes.map((write) => batcher.add(write));
    await endInTurn(commits, 0, 1, 2);
    await Promise.all(all);
    assert.deepEqual(writesOf(commits), [
      ['aaaa', 'bbbb', 'd', 'e'],
      ['cccc', 'f'],
      ['a heavy one of its own'],
    ]);
  });

  it('is proven for a second by what it has stored, unless a write fails after it', async (t) => {
    let now = 5000;
    t.mock.method(performance, 'now', () => now);
    const { batcher, commits } = start();
    const isProvenAfter = async (write: string, error?: Error) => {
      const settled = batcher.add(write).catch(() => {});
      await nextTick();
      commits.at(-1)?.end([error ? { ok: false, error } : done(write)]);
      await settled;
      return batcher.isProven;
    };
    const refused = new ApiError('pet_not_found', '');
    assert.equal(await isProvenAfter('no proof'), false);
    assert.equal(await isProvenAfter('proof'), true);
    assert.equal(await isProvenAfter('refused', refused), true);
    for (const error of [new Error('no disk'), new ApiError('unavailable', '')]) {
      assert.equal(await isProvenAfter('failed', error), false);
      assert.equal(await isProvenAfter('proof'), true);
    }
    now += 1000;
    assert.equal(batcher.isProven, false);
    assert.equal(await isProvenAfter('proof'), true);
    await batcher.close();
    assert.equal(batcher.isProven, false);
  });

  it('takes animals that are added together for as many writes', () => {
    assert.equal(weightOf({ method: 'createPets', args: [Array(3)] }), 3);
  });

  it('does not send a write that has waited for longer than `waitMs`, and could time out in its commit', async (t) => {
    let now = 5000;
    t.mock.method(performance, 'now', () => now);
    const { batcher, commits } = start({ waitMs: 200 });
    const [, late] = (await add(batcher, 'slow', 'late')) as [unknown, Promise<string>];
    now += 201;
    commits[0]?.end();
    await assert.rejects(late, unavailable(/waited too long; nothing was written/));
    assert.deepEqual(writesOf(commits), [['slow']]);
    await batcher.close();
  });

  it('times out a commit that hangs, refuses writes while it does, and works again when it ends', async (t) => {
    let now = 5000;
    t.mock.method(performance, 'now', () => now);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { batcher, commits } = start({ timeoutMs: 200 });
    const [hanging, ...waiting] = await add(batcher, 'hanging', 'waiting', 'waiting as well');
    const timedOut = Promise.all([
      assert.rejects(hanging as Promise<string>, unavailable(/not known whether it took effect/)),
      ...waiting.map((write) => assert.rejects(write, unavailable(/waited too long; nothing was written/))),
    ]);
    now += 201;
    t.mock.timers.tick(201);
    await timedOut;
    await assert.rejects(batcher.add('refused'), unavailable(/does not respond; nothing was written/));
    commits[0]?.fail(new Error('no disk'));
    await nextTick();
    const after = batcher.add('after');
    await nextTick();
    commits[1]?.end();
    assert.equal(await after, 'after committed');
    assert.deepEqual(writesOf(commits), [['hanging'], ['after']]);
  });
});
