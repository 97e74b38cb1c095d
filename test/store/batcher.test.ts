import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ApiError } from '../../src/contract/errors.ts';
import { Batcher, type Limits, type Outcome } from '../../src/store/batcher.ts';

/** A commit under way; the test says how it ends. */
interface Commit {
  readonly writes: readonly string[];
  end(outcomes?: Outcome<string>[]): void;
  fail(error: Error): void;
}

const done = (write: string): Outcome<string> => ({ ok: true, value: `${write} is done` });

/** A batcher whose commits last until the test ends them. */
function start(limits: Partial<Limits> = {}): { batcher: Batcher<string, string>; commits: Commit[] } {
  const commits: Commit[] = [];
  const batcher = new Batcher<string, string>((writes) => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<string>[]>();
    commits.push({ writes, end: (outcomes = writes.map(done)) => resolve(outcomes), fail: reject });
    return promise;
  }, limits);
  return { batcher, commits };
}

type Texts = Batcher<string, string>;

/** Adds the first write, and the others while that commits. */
async function add(batcher: Texts, first: string, ...others: string[]): Promise<Promise<string>[]> {
  const added = batcher.add(first);
  await turn();
  return [added, ...others.map((write) => batcher.add(write))];
}

/** What has become of a promise by now. */
async function state(promise: Promise<string>): Promise<string> {
  let state = 'open';
  promise.then(
    (value) => (state = value),
    (error: Error) => (state = `failed: ${error.message}`),
  );
  await turn();
  return state;
}

const writesOf = (commits: Commit[]) => commits.map(({ writes }) => writes);

const unavailable = (message: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === 'unavailable' && message.test(error.message);

describe('Batcher', () => {
  it('lets writes that are added in one go share a commit', async () => {
    const { batcher, commits } = start();
    const all = ['a', 'b', 'c'].map((write) => batcher.add(write));
    await turn();
    assert.deepEqual(writesOf(commits), [['a', 'b', 'c']]);
    commits[0]?.end();
    assert.deepEqual(await Promise.all(all), ['a is done', 'b is done', 'c is done']);
  });

  it('lets writes that arrive while one commits share the next commit, in their order', async () => {
    const { batcher, commits } = start();
    const all = await add(batcher, 'a', 'b', 'c', 'd');
    assert.deepEqual(writesOf(commits), [['a']]);
    commits[0]?.end();
    await turn();
    assert.deepEqual(writesOf(commits), [['a'], ['b', 'c', 'd']]);
    commits[1]?.end();
    assert.deepEqual(await Promise.all(all), ['a is done', 'b is done', 'c is done', 'd is done']);
  });

  it('does not wait for the batch before when batches may overlap, and closes behind all of them', async () => {
    const { batcher, commits } = start({ overlap: true });
    const [a, b] = (await add(batcher, 'a', 'b')) as [Promise<string>, Promise<string>];
    await turn();
    assert.deepEqual(writesOf(commits), [['a'], ['b']]);
    const closed = batcher.close().then(() => 'closed');
    commits[1]?.end();
    assert.equal(await state(b), 'b is done');
    assert.deepEqual([await state(a), await state(closed)], ['open', 'open']);
    commits[0]?.end();
    assert.deepEqual([await state(a), await state(closed)], ['a is done', 'closed']);
  });

  it('settles nobody before the commit that holds the write', async () => {
    const { batcher, commits } = start();
    const [a, b] = (await add(batcher, 'a', 'b')) as [Promise<string>, Promise<string>];
    assert.equal(await state(a), 'open');
    commits[0]?.end();
    assert.equal(await state(a), 'a is done');
    assert.equal(await state(b), 'open');
    commits[1]?.end();
    assert.equal(await state(b), 'b is done');
  });

  it('commits no more than `batch` at a time', async () => {
    const { batcher, commits } = start({ batch: 2 });
    const all = ['a', 'b', 'c', 'd', 'e'].map((write) => batcher.add(write));
    for (let i = 0; i < 3; i++) {
      await turn();
      commits[i]?.end();
    }
    await Promise.all(all);
    assert.deepEqual(writesOf(commits), [['a', 'b'], ['c', 'd'], ['e']]);
  });

  it('starts again after it has been idle', async () => {
    const { batcher, commits } = start();
    for (const [i, write] of ['a', 'b', 'c'].entries()) {
      const added = batcher.add(write);
      await turn();
      commits[i]?.end();
      assert.equal(await added, `${write} is done`);
    }
  });

  it('fails a write alone whose outcome is an error', async () => {
    const { batcher, commits } = start();
    const [first, good, bad, last] = await add(batcher, 'first', 'good', 'bad', 'last');
    commits[0]?.end();
    await first;
    commits[1]?.end([done('good'), { ok: false, error: new Error('spoilt') }, done('last')]);
    await assert.rejects(bad as Promise<string>, /^Error: spoilt$/);
    assert.deepEqual(await Promise.all([good, last]), ['good is done', 'last is done']);
  });

  it('fails the batch, and only that, of a commit that rejects', async () => {
    const { batcher, commits } = start();
    const [a, b, c] = await add(batcher, 'a', 'b', 'c');
    commits[0]?.fail(new Error('no disk'));
    await assert.rejects(a as Promise<string>, /^Error: no disk$/);
    commits[1]?.end();
    assert.deepEqual(await Promise.all([b, c]), ['b is done', 'c is done']);
  });

  it('fails a write that the commit gave no outcome, rather than leave it open', async () => {
    const { batcher, commits } = start();
    const added = batcher.add('a');
    await turn();
    commits[0]?.end([]);
    await assert.rejects(added, /no outcome/);
  });

  it('refuses at once when too many wait, and takes writes again when there is room', async () => {
    const { batcher, commits } = start({ waiting: 2 });
    const taken = await add(batcher, 'under way', 'a', 'b');
    await assert.rejects(batcher.add('c'), unavailable(/Too many writes/));
    commits[0]?.end();
    await turn();
    taken.push(batcher.add('d'));
    commits[1]?.end();
    await turn();
    commits[2]?.end();
    await Promise.all(taken);
    assert.deepEqual(writesOf(commits), [['under way'], ['a', 'b'], ['d']]);
  });

  for (const ending of ['succeeds', 'fails'] as const) {
    it(`gives up a commit that hangs, refuses while it does, and works again when it ${ending}`, async () => {
      const { batcher, commits } = start({ timeoutMs: 200 });
      const [hanging, waiting] = await add(batcher, 'hanging', 'waiting');
      await assert.rejects(hanging as Promise<string>, unavailable(/not known whether it took effect/));
      await assert.rejects(waiting as Promise<string>, unavailable(/nothing was written/));
      await assert.rejects(batcher.add('refused'), unavailable(/nothing was written/));

      if (ending === 'succeeds') commits[0]?.end();
      else commits[0]?.fail(new Error('no disk'));
      await turn();
      const after = batcher.add('after');
      await turn();
      commits[1]?.end();
      assert.equal(await after, 'after is done');
      assert.deepEqual(writesOf(commits), [['hanging'], ['after']]);
    });
  }

  it('leaves no write open longer than `timeoutMs`, also when no single commit takes so long', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { batcher, commits } = start({ timeoutMs: 1000 });
    const [, late] = (await add(batcher, 'slow', 'late')) as [unknown, Promise<string>];
    t.mock.timers.tick(900);
    commits[0]?.end();
    assert.equal(await state(late), 'open');
    t.mock.timers.tick(900);
    assert.match(await state(late), /^failed: /);
    commits[1]?.end();
  });

  it('waits on close for every write that it took, and takes no more', async () => {
    const { batcher, commits } = start();
    const [a, b] = await add(batcher, 'a', 'b');
    let closed = false;
    const closing = batcher.close().then(() => {
      closed = true;
    });
    await assert.rejects(batcher.add('c'), unavailable(/closed/));
    commits[0]?.end();
    await turn();
    assert.equal(closed, false);
    commits[1]?.end();
    await closing;
    assert.deepEqual(await Promise.all([a, b]), ['a is done', 'b is done']);
    await assert.rejects(batcher.add('d'), unavailable(/closed/));
    await batcher.close();
    assert.deepEqual(writesOf(commits), [['a'], ['b']]);
  });
});
