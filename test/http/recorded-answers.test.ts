import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Comparable, comparable, targetOf, withFieldsOf } from '../support/comparable.ts';
import { observe, prepare } from '../support/observe.ts';
import { type RecordedCase, readRecordedCases } from '../support/recorded-answers.ts';
import { startServiceForFile } from '../support/shared.ts';

/** An intentional change since the responses were recorded. */
interface IntendedChange {
  readonly why: string;
  appliesTo(one: RecordedCase): boolean;
  /** What is expected instead of what was recorded. */
  expected(recorded: Comparable, one: RecordedCase): Comparable;
}

const cases = await readRecordedCases();

const intendedChanges: readonly IntendedChange[] = [
  {
    why: 'a parameter that differs from a known one only by case or a trailing [] is refused, not ignored',
    appliesTo: ({ request, answers }) =>
      /\/v1\/(?:pets|store\/orders)\?(?:.*&)?(?:LIMIT|limit\[\])=/.test(targetOf(request)) &&
      / 200 /.test(answers[0]?.status ?? ''),
    expected: (recorded) => refused(recorded, 400, 'invalid_parameter', /^link:/),
  },
  {
    why: 'an empty last path segment is not an identifier: 404 not_found, without an operation',
    appliesTo: ({ request }) => /^\/v1\/(?:pets|store\/orders)\/(?:\?|$)/.test(targetOf(request)),
    expected: (recorded) => {
      const { answers, log } = refused(recorded, 404, 'not_found', /^(?:deprecation|sunset|link|allow):/);
      return { answers, log: log.map(({ operation, ...line }) => line) };
    },
  },
  {
    why: 'a request with an Upgrade header is answered, and the connection is closed after it',
    appliesTo: ({ request }) => /^Upgrade:/m.test(request.head),
    expected: ({ answers: [first], log }) => ({
      answers: first ? [{ ...first, headers: withoutKeepAlive(first.headers) }] : [],
      log,
    }),
  },
  {
    why: 'a fragment is ignored after the query, too: it is answered as the same request without it',
    appliesTo: ({ request }) => withoutFragment(request) !== undefined,
    expected: (recorded, { request }) => {
      const without = withoutFragment(request);
      return without ? comparable(without, without.request) : recorded;
    },
  },
];

/** The recorded case of the same request without the fragment after its query, if it has one. */
function withoutFragment({ head, body }: RecordedCase['request']): RecordedCase | undefined {
  const plain = head.replace(/(?<=^\S+ \S+\?\S*)#\S*/, '');
  if (plain === head) return undefined;
  return cases.find(({ request }) => request.head === plain && request.body === body);
}

/** The recorded exchange, with its first response replaced by an error. */
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

/** How the response differs from the recorded one after the intended changes; undefined if it does not. */
function difference(
  one: RecordedCase,
  seen: Comparable,
  changes: readonly IntendedChange[],
): string | undefined {
  const recorded = comparable(one, one.request);
  const expected = changes.reduce((changed, change) => change.expected(changed, one), recorded);
  try {
    assert.deepEqual({ ...seen, log: withFieldsOf(expected.log, seen.log) }, expected);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

// The responses were recorded before the service had web pages.
const service = await startServiceForFile({ config: { pages: false } });

describe('the service', { timeout: 120_000 }, () => {
  it('answers every recorded request as recorded, except for intended changes', async (t) => {
    await prepare(service);
    const differences: string[] = [];
    const changed = new Map(intendedChanges.map(({ why }) => [why, 0]));
    for (const one of cases) {
      const changes = intendedChanges.filter((change) => change.appliesTo(one));
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
