import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Comparable, comparable, targetOf, withFieldsOf } from '../support/comparable.ts';
import { observe, prepare } from '../support/observe.ts';
import { type RecordedCase, readRecordedCases } from '../support/recorded-answers.ts';
import { startServiceForFile } from '../support/shared.ts';

/** A change of the contract since the answers were recorded. */
interface Intended {
  readonly why: string;
  concerns(one: RecordedCase): boolean;
  /** What is expected instead of what was recorded. */
  expected(recorded: Comparable): Comparable;
}

const intended: readonly Intended[] = [
  {
    why: 'a parameter that differs from a known one only by case or a trailing [] is refused, not ignored',
    concerns: ({ request, answers }) =>
      /\/v1\/(?:pets|store\/orders)\?(?:.*&)?(?:LIMIT|limit\[\])=/.test(targetOf(request)) &&
      / 200 /.test(answers[0]?.status ?? ''),
    expected: (recorded) => refused(recorded, 400, 'invalid_parameter', /^link:/),
  },
  {
    why: 'an empty last segment is no identifier: 404 not_found, of no operation',
    concerns: ({ request }) => /^\/v1\/(?:pets|store\/orders)\/(?:\?|$)/.test(targetOf(request)),
    expected: (recorded) => {
      const { answers, log } = refused(recorded, 404, 'not_found', /^(?:deprecation|sunset|link|allow):/);
      return { answers, log: log.map(({ operation, ...line }) => line) };
    },
  },
  {
    why: 'a request with an Upgrade header is answered, and the connection is closed after it',
    concerns: ({ request }) => /^Upgrade:/m.test(request.head),
    expected: ({ answers: [first], log }) => ({
      answers: first ? [{ ...first, headers: withoutKeepAlive(first.headers) }] : [],
      log,
    }),
  },
];

/** The recorded exchange, its first answer replaced by a refusal. */
function refused(
  { answers: [first, ...rest], log }: Comparable,
  status: number,
  code: string,
  dropped: RegExp,
): Comparable {
  const headers = (first?.headers ?? []).filter(
    (line) => !dropped.test(line) && !/^content-length:/.test(line),
  );
  const body = first?.body === '' ? '' : { code, status, message: 'string' };
  return {
    answers: [{ status, headers, body }, ...rest],
    log: log.map((line) => ({ ...line, status })),
  };
}

const withoutKeepAlive = (headers: readonly string[]): string[] =>
  headers.map((line) => (line === 'connection: keep-alive' ? 'connection: close' : line));

/** What is different from what was recorded, but for the intended changes; undefined if nothing is. */
function difference(one: RecordedCase, seen: Comparable, changes: readonly Intended[]): string | undefined {
  const recorded = comparable(one, one.request);
  const expected = changes.reduce((changed, change) => change.expected(changed), recorded);
  try {
    assert.deepEqual({ ...seen, log: withFieldsOf(expected.log, seen.log) }, expected);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

// Recorded before there were web pages.
const service = await startServiceForFile({ config: { pages: false } });

describe('the recorded answers', { timeout: 120_000 }, () => {
  it('are given again to every recorded request, in order, but for intended changes', async (t) => {
    await prepare(service);
    const cases = await readRecordedCases();
    const differences: string[] = [];
    const changed = new Map(intended.map(({ why }) => [why, 0]));
    for (const one of cases) {
      const changes = intended.filter((change) => change.concerns(one));
      for (const { why } of changes) changed.set(why, (changed.get(why) ?? 0) + 1);
      const seen = comparable(await observe(service, one.request), one.request);
      const found = difference(one, seen, changes);
      if (found) differences.push(`${JSON.stringify(one.request).slice(0, 500)}\n${found}`);
    }
    for (const [why, count] of changed) {
      t.diagnostic(`${count} cases: ${why}`);
      assert.ok(count > 0, `no recorded request shows that ${why}`);
    }
    assert.equal(
      differences.length,
      0,
      `${differences.length} of ${cases.length} cases differ; the first:\n${differences.slice(0, 8).join('\n')}`,
    );
  });
});
